export { isMissing } from "../storage/sql/sql.js";
export {
  type ArgumentSpec,
  COMMAND_GROUPS,
  type Command,
  type CommandContext,
  type Completer,
  type Completion,
  type CompletionQuery,
  CURSOR_OPTION,
  defineCommand,
  flagOf,
  JSON_OPTION,
  LIMIT_OPTION,
  type OptionSpec,
  QUIET_OPTION,
  YES_OPTION,
} from "./command.js";
export {
  argumentRows,
  commandRows,
  type HelpLayout,
  type HelpRow,
  optionGroups,
  renderHelp,
  renderRows,
  usageLines,
} from "./command-help.js";
export { completeCommandLine } from "./complete.js";
export { describeError, EXIT_CODES, Failure, shellWord, UsageError } from "./errors.js";
export {
  orList,
  type ParsedCommandLine,
  parseCommandLine,
  suggestion,
} from "./parse-command-line.js";
export { readInput, readNamed } from "./read-input.js";
export { blockText, print, relative, resultText, sizeOf, writeJson } from "./result-text.js";
export { createCommandContext, runCommand } from "./run-command.js";
export { describeKinds, kindsOf, kindWord, parseJsonOption, readValue, resolve, showValue } from "./values.js";

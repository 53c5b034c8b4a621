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
export { createCommandContext } from "./create-context.js";
export { describeError } from "./describe-error.js";
export { EXIT_CODES, Failure, UsageError } from "./errors.js";
export { parseJsonOption } from "./json-arguments.js";
export { isMissing } from "./missing-database.js";
export {
  orList,
  type ParsedCommandLine,
  parseCommandLine,
  suggestion,
} from "./parse-command-line.js";
export { readInput, readNamed } from "./read-input.js";
export { blockText, print, relative, resultText, sizeOf, writeJson } from "./result-text.js";
export { runCommand } from "./run-command.js";
export { shellWord } from "./shell-word.js";
export { describeKinds, kindsOf, kindWord, readValue, resolve, showValue } from "./values.js";

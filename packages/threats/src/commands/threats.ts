import {
  type Command,
  type Completer,
  defineCommand,
  JSON_OPTION,
  LIMIT_OPTION,
  type OptionSpec,
  QUIET_OPTION,
} from "@toolwright/kit/cli";
import { CATEGORIES, SEVERITIES, TIERS } from "../format/pattern.js";

const completePatternIds: Completer = async ({ prefix, input }, ctx) =>
  (await import("./with-threats.js")).completePatternIds(prefix, input, ctx);

/** The options of all subcommands. */
const COMMON = {
  patterns: {
    type: "string",
    short: "p",
    multiple: true,
    placeholder: "DIR",
    description: "A folder with your own patterns, in addition to packs.threats.patternFolders.",
    complete: "folder",
  },
  verbose: { type: "boolean", short: "v", description: "Print more details." },
  json: { ...JSON_OPTION, conflictsWith: ["format"] },
} as const satisfies Record<string, OptionSpec>;

const FORMAT = {
  type: "string",
  short: "f",
  choices: ["text", "json"],
  default: "text",
  description: "The output format.",
} as const satisfies OptionSpec;

const CATEGORY = {
  type: "string",
  placeholder: "FAMILY",
  description: `Only this family: ${CATEGORIES.join(", ")}.`,
  complete: async () => [...CATEGORIES],
} as const satisfies OptionSpec;
const LANGUAGE = {
  type: "string",
  short: "l",
  placeholder: "LANGUAGE",
  description: "Only patterns with code in this language.",
} as const satisfies OptionSpec;
const FRAMEWORK = {
  type: "string",
  placeholder: "FRAMEWORK",
  description: "Only patterns with code for this framework.",
} as const satisfies OptionSpec;

const list = defineCommand({
  name: "list",
  aliases: ["ls"],
  summary: "List patterns, one line each",
  tool: "tmkb_list",
  options: {
    category: CATEGORY,
    severity: { type: "string", choices: SEVERITIES, description: "Only this severity." },
    tier: { type: "string", choices: TIERS, description: "Only tier A (in full) or B (in short)." },
    language: LANGUAGE,
    framework: FRAMEWORK,
    format: FORMAT,
    ...COMMON,
  },
  examples: ["toolwright threats list --category agent -v"],
  run: async (input, ctx) => (await import("./library-commands.js")).list(input, ctx),
});

const show = defineCommand({
  name: "show",
  aliases: ["get"],
  summary: "Show patterns in full: scenario, mitigations, code, checks",
  tool: "tmkb_get",
  args: {
    id: {
      required: true,
      multiple: true,
      placeholder: "ID",
      description: "The id of a pattern, such as TMKB-AUTHZ-001.",
      complete: completePatternIds,
    },
  },
  options: { format: FORMAT, ...COMMON },
  examples: ["toolwright threats show TMKB-AUTHZ-001"],
  run: async (input, ctx) => (await import("./library-commands.js")).show(input, ctx),
});

const query = defineCommand({
  name: "query",
  aliases: ["ask", "search", "find"],
  summary: "Find the threats that apply to a task, with secure code",
  tool: "tmkb_query",
  args: { words: { multiple: true, placeholder: "WORD", description: "The task, if --context is not given." } },
  options: {
    context: { type: "string", short: "c", placeholder: "TEXT", description: "The task, in words or code." },
    language: { ...LANGUAGE, description: "The language of the code that is shown." },
    framework: { ...FRAMEWORK, description: "The framework of the code that is shown." },
    category: CATEGORY,
    files: { type: "string", multiple: true, placeholder: "PATH", description: "A path that the task changes." },
    limit: {
      ...LIMIT_OPTION,
      min: 0,
      max: 50,
      description: "The maximum number of patterns. Default: 3, or 10 with --verbose.",
    },
    format: FORMAT,
    ...COMMON,
  },
  examples: [
    'toolwright threats query -c "a webhook that marks orders paid" -l typescript',
    'toolwright threats query "export job per tenant" --files app/jobs/export.py --json',
  ],
  run: async (input, ctx) => (await import("./query-command.js")).query(input, ctx),
});

const validate = defineCommand({
  name: "validate",
  aliases: ["check", "lint"],
  summary: "Validate patterns, and check that their queries find them",
  tool: "tmkb_validate",
  args: {
    target: {
      multiple: true,
      placeholder: "ID|FILE",
      description: "Ids or files. Default: all patterns of your folders, or the built-in ones if there are none.",
      complete: "file",
    },
  },
  options: {
    all: { type: "boolean", description: "Validate all patterns, which is also the default." },
    format: FORMAT,
    ...COMMON,
  },
  exitCodes: { 1: "a pattern has errors, or the validation failed" },
  examples: ["toolwright threats validate -p threat-patterns"],
  run: async (input, ctx) => (await import("./library-commands.js")).validate(input, ctx),
});

const review = defineCommand({
  name: "review",
  aliases: ["scan", "diff"],
  summary: "Review changes or files for threats without a visible check",
  tool: "tmkb_review",
  description:
    'Without PATH, reviews the diff between the working tree and the last commit. New files that git does not track are\nnot part of it; "git add -N" adds them.',
  args: { path: { multiple: true, placeholder: "PATH", description: "Files and folders.", complete: "file" } },
  options: {
    base: {
      type: "string",
      placeholder: "COMMIT",
      description: "Review what has changed since this branch was left, as in a pull request.",
      conflictsWith: ["diff"],
    },
    diff: {
      type: "string",
      placeholder: "FILE",
      description: "Review a unified diff; - reads stdin.",
      complete: "file",
    },
    severity: { type: "string", choices: SEVERITIES, description: "The minimum severity." },
    category: CATEGORY,
    language: { ...LANGUAGE, description: "Only this language." },
    failOn: {
      type: "string",
      choices: SEVERITIES,
      description:
        "Exit with 1 if there are findings of this severity or worse. Those with low confidence do not count.",
    },
    limit: {
      ...LIMIT_OPTION,
      max: 100_000,
      default: 30,
      description: "The maximum number of findings that are printed.",
    },
    format: { ...FORMAT, choices: ["text", "json", "sarif"] },
    quiet: QUIET_OPTION,
    ...COMMON,
  },
  exitCodes: { 1: "--fail-on has matched, or the review failed" },
  examples: [
    "toolwright threats review src/api --severity high",
    "toolwright threats review --base origin/main --fail-on high -f sarif > threats.sarif",
    "git diff main... | toolwright threats review --diff -",
  ],
  run: async (input, ctx) => (await import("./review-commands.js")).review(input, ctx),
});

const coverage = defineCommand({
  name: "coverage",
  summary: "List the families of threats that apply to a project",
  tool: "tmkb_coverage",
  args: {
    path: { placeholder: "PATH", description: "A file or folder. Default: the current folder.", complete: "file" },
  },
  options: {
    limit: { ...LIMIT_OPTION, max: 100_000, default: 5000, description: "The maximum number of files." },
    format: FORMAT,
    quiet: QUIET_OPTION,
    ...COMMON,
  },
  run: async (input, ctx) => (await import("./review-commands.js")).coverage(input, ctx),
});

/** `toolwright threats`. */
export const threats: Command = defineCommand({
  name: "threats",
  summary: "Find threat patterns for a task, and review code with them",
  group: "working",
  subcommands: [list, show, query, validate, review, coverage],
  examples: [
    'toolwright threats query -c "a webhook that marks orders paid" -l typescript',
    "toolwright threats review",
  ],
});

import { describe, expect, test } from "vitest";
import { defineCommand, JSON_OPTION, LIMIT_OPTION, QUIET_OPTION, YES_OPTION } from "../../../src/cli/command.js";
import { formatDuration, parseCommandLine, parseDuration } from "../../../src/cli/parse-command-line.js";

const task = defineCommand({
  name: "task",
  summary: "Keep tasks",
  subcommands: [
    defineCommand({
      name: "add",
      aliases: ["new"],
      summary: "Add a task",
      args: { text: { required: true, multiple: true, description: "What is to be done." } },
      options: {
        priority: { type: "integer", short: "p", min: 1, max: 5, default: 3, description: "1 is the most urgent." },
        doneFile: { type: "string", placeholder: "FILE", description: "Done when it exists." },
        after: { type: "string", multiple: true, description: "Tasks that come first." },
        lease: { type: "duration", min: 1000, max: 3_600_000, description: "How long." },
        status: { type: "string", choices: ["pending", "completed"], description: "Its status." },
        ready: { type: "boolean", description: "Ready.", conflictsWith: ["all"] },
        all: { type: "boolean", description: "All." },
        http: { type: "string", implied: "3000", description: "An address." },
        json: JSON_OPTION,
        quiet: QUIET_OPTION,
        yes: YES_OPTION,
      },
    }),
    defineCommand({ name: "list", summary: "List tasks", options: { limit: { ...LIMIT_OPTION, default: 10 } } }),
    defineCommand({ name: "secret", hidden: true, summary: "Not shown" }),
  ],
});

const parse = (...argv: string[]) => parseCommandLine(task, argv);
const problemsOf = (...argv: string[]) => parse("add", "text", ...argv).problems;
const inputOf = (...argv: string[]) => parse("add", "text", ...argv).input;

describe("values", () => {
  test("options have their defaults, and repeated ones are arrays", () => {
    expect(parse("add", "Fix", "it").input).toEqual({
      text: ["Fix", "it"],
      priority: 3,
      doneFile: undefined,
      after: [],
      lease: undefined,
      status: undefined,
      ready: false,
      all: false,
      http: undefined,
      json: false,
      quiet: false,
      yes: false,
    });
  });

  test.each([
    ["a long option", ["--priority", "1"], { priority: 1 }],
    ["a long option with =", ["--priority=1"], { priority: 1 }],
    ["a short option", ["-p", "1"], { priority: 1 }],
    ["a short option with its value", ["-p1"], { priority: 1 }],
    ["short options together", ["-qyp2"], { quiet: true, yes: true, priority: 2 }],
    ["a name in camelCase", ["--done-file", "out.txt"], { doneFile: "out.txt" }],
    ["a value with =", ["--done-file=a=b"], { doneFile: "a=b" }],
    ["a value that begins with a dash", ["--done-file", "-x"], { doneFile: "-x" }],
    ["a repeated option", ["--after", "a", "--after=b"], { after: ["a", "b"] }],
    ["a duration", ["--lease", "15m"], { lease: 900_000 }],
    ["a duration in seconds", ["--lease", "90"], { lease: 90_000 }],
    ["an option without its optional value", ["--http", "--json"], { http: "3000", json: true }],
    ["an option with its optional value", ["--http", ":80"], { http: ":80" }],
    ["words after --", ["--", "--json", "-p"], { text: ["text", "--json", "-p"], json: false }],
    ["a dash and negative numbers", ["-", "-5"], { text: ["text", "-", "-5"] }],
  ])("%s", (_, argv, expected) => {
    expect(problemsOf(...argv)).toEqual([]);
    expect(inputOf(...argv)).toMatchObject(expected);
  });

  test("an option is a property of input only under its own name", () => {
    expect(problemsOf("--constructor")).toEqual(["Unknown option --constructor"]);
    expect(problemsOf("--donefile")).toEqual(["Unknown option --donefile; did you mean --done-file?"]);
  });
});

describe("problems", () => {
  test.each([
    [["--priorty", "1"], "Unknown option --priorty; did you mean --priority?"],
    [["--token=secret"], "Unknown option --token"],
    [["-x"], "Unknown option -x"],
    [["--priority"], "--priority needs a value: --priority NUMBER"],
    [["--done-file", "--json"], "--done-file needs a value: --done-file FILE"],
    [["--done-file="], "--done-file needs a value: --done-file FILE"],
    [["--priority", "6"], '--priority must be a whole number from 1 to 5, not "6"'],
    [["--priority", "1.5"], '--priority must be a whole number from 1 to 5, not "1.5"'],
    [["-p", "x"], '-p must be a whole number from 1 to 5, not "x"'],
    [["--lease", "2h"], '--lease must be a time such as 90s, 15m or 2h from 1s to 1h, not "2h"'],
    [["--status", "complete"], '--status must be pending or completed, not "complete"; did you mean completed?'],
    [["--json=yes"], "--json takes no value"],
    [["-p1", "--priority", "2"], "--priority is given twice"],
    [["--json", "--json"], "--json is given twice"],
    [["--all", "--ready"], "--ready cannot be used together with --all"],
  ])("%j", (argv, problem) => {
    expect(problemsOf(...argv)).toEqual([problem]);
  });

  test("all of them are found", () => {
    expect(problemsOf("--colour", "red", "--priority", "9", "-p")).toEqual([
      "Unknown option --colour",
      '--priority must be a whole number from 1 to 5, not "9"',
      "-p is given twice",
      "-p needs a value: -p NUMBER",
    ]);
  });

  test("arguments that are missing or too many", () => {
    expect(parse("add").problems).toEqual(["Missing argument TEXT"]);
    expect(parse("list", "extra").problems).toEqual(['Unexpected argument "extra"']);
  });
});

describe("subcommands", () => {
  test("they are found by their names and aliases", () => {
    expect(parse("add", "x").path).toEqual(["task", "add"]);
    expect(parse("new", "x").path).toEqual(["task", "add"]);
  });

  test("one that is missing or unknown is an error that names the others", () => {
    expect(() => parse()).toThrow("task needs a subcommand: add or list");
    expect(() => parse("lst")).toThrow('Unknown command "task lst"; did you mean list?');
    expect(() => parse("--json")).toThrow('Unknown command "task --json"');
  });

  test("help is recognised at every level, whatever else is wrong", () => {
    expect(parse("--help")).toMatchObject({ path: ["task"], wantsHelp: true });
    expect(parse("add", "-p", "9", "-h")).toMatchObject({ path: ["task", "add"], wantsHelp: true });
    expect(parse("add", "x", "--", "--help").wantsHelp).toBe(false);
  });
});

test("what follows -- is passed on by a command that starts another", () => {
  const call = defineCommand({
    name: "call",
    summary: "Call",
    args: { words: { multiple: true, description: "Words." } },
    trailing: { name: "COMMAND", description: "A program." },
  });
  expect(parseCommandLine(call, ["a", "--", "node", "-x"]).input).toEqual({ words: ["a"], trailing: ["node", "-x"] });
  expect(parseCommandLine(call, ["a"]).input["trailing"]).toBeUndefined();
});

test.each([
  ["90", 90_000],
  ["1.5s", 1500],
  ["250ms", 250],
  ["2d", 172_800_000],
  ["", Number.NaN],
  ["-1", Number.NaN],
  ["1w", Number.NaN],
])("the duration %j is %d ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test("durations are written in their largest whole unit", () => {
  expect([0, 250, 90_000, 900_000, 7_200_000].map(formatDuration)).toEqual(["0ms", "250ms", "90s", "15m", "2h"]);
});

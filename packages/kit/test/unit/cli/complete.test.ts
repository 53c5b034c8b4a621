import { expect, test } from "vitest";
import { type CommandContext, type CompletionQuery, defineCommand } from "../../../src/cli/command.js";
import { completeCommandLine } from "../../../src/cli/complete.js";

const task = defineCommand({
  name: "task",
  summary: "Keep tasks",
  subcommands: [
    defineCommand({
      name: "show",
      aliases: ["get"],
      summary: "Show a task",
      args: {
        ids: {
          required: true,
          multiple: true,
          description: "Ids.",
          complete: async ({ prefix, input }: CompletionQuery) =>
            ["ab12", "cd34"]
              .filter((id) => id.startsWith(prefix))
              .map((value) => ({ value, description: `in ${String(input["database"])}` })),
        },
      },
      options: {
        status: { type: "string", short: "s", choices: ["pending", "completed"], description: "Status." },
        database: { type: "string", default: "own", complete: "file", description: "Database." },
        internal: { type: "boolean", hidden: true, description: "Not shown." },
      },
    }),
    defineCommand({ name: "ids", summary: "Not shown", hidden: true }),
  ],
});
const help = defineCommand({ name: "call", summary: "Call", trailing: { name: "COMMAND", description: "Program." } });

const complete = async (...words: string[]) => {
  const { values, paths } = await completeCommandLine([task, help], words, async () => ({}) as CommandContext);
  return [...values.map(({ value }) => value), ...(paths === undefined ? [] : [`:${paths}`])];
};

test.each([
  [["t"], ["task"]],
  [["--v"], ["--version"]],
  [["help", "task", ""], ["show"]],
  [["task", ""], ["show"]],
  [
    ["task", "show", "--"],
    ["--status", "--database", "--help"],
  ],
  [["task", "show", "--status", "p"], ["pending"]],
  [
    ["task", "show", "-s", ""],
    ["pending", "completed"],
  ],
  [["task", "show", "--status=c"], ["--status=completed"]],
  [["task", "show", "--status", "=", "c"], ["completed"]],
  [["task", "get", "ab12", "c"], ["cd34"]],
  [["task", "show", "--database", ""], [":file"]],
  [["nothing", ""], []],
  [["call", "--", ""], [":file"]],
])("%j is completed to %j", async (words, expected) => {
  expect(await complete(...words)).toEqual(expected);
});

test("a completer knows the options before the cursor", async () => {
  const words = ["task", "show", "--database", "team.db", "a"];
  const { values } = await completeCommandLine([task], words, async () => ({}) as CommandContext);
  expect(values).toEqual([{ value: "ab12", description: "in team.db" }]);
});

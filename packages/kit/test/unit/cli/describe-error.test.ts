import { ToolError } from "@toolwright/engine";
import type { ErrorHint } from "@toolwright/engine/types";
import { expect, test } from "vitest";
import { defineCommand } from "../../../src/cli/command.js";
import { describeError, Failure, UsageError } from "../../../src/cli/errors.js";

const COMMANDS = [
  defineCommand({
    name: "task",
    summary: "Keep tasks",
    subcommands: [
      defineCommand({
        name: "list",
        summary: "List tasks",
        tool: "list_tasks",
        args: { taskId: { description: "An id." } },
        options: {
          status: { type: "string", description: "Status." },
          readyOnly: { type: "boolean", description: "Ready." },
        },
      }),
    ],
  }),
];
const describe = (error: unknown) => describeError(error, async () => COMMANDS);
const withHint = (hint: ErrorHint) => new ToolError('No task matches "abc".', { hint });

test("the hint of a tool error names the command that does what the tool does", async () => {
  const hint = {
    action: "list the open tasks",
    tool: "list_tasks",
    arguments: { status: "in progress", ready_only: true, task_id: "x1", other: 1 },
  };
  expect(await describe(withHint(hint))).toEqual({
    message:
      "No task matches \"abc\". To list the open tasks, run: toolwright task list x1 --status 'in progress' --ready-only",
    exitCode: 1,
  });
});

test("a hint without a tool is a sentence, and one without a command is left out", async () => {
  expect((await describe(withHint({ action: "use more letters" }))).message).toBe(
    'No task matches "abc". Use more letters.',
  );
  expect((await describe(withHint({ action: "look", tool: "fs_info" }))).message).toBe('No task matches "abc".');
  expect((await describe(new ToolError("It failed."))).message).toBe("It failed.");
});

test("an invalid command line ends with 2 and names the help", async () => {
  expect(await describe(new UsageError("Unknown option --x", "task list"))).toEqual({
    message: 'Unknown option --x. Run "toolwright task list --help" for usage.',
    exitCode: 2,
  });
  expect((await describe(new UsageError("Unknown command; did you mean call?"))).message).toBe(
    'Unknown command; did you mean call? Run "toolwright --help" for usage.',
  );
  expect((await describe(new UsageError("one\ntwo"))).message).toBe('one\ntwo\nRun "toolwright --help" for usage.');
});

test("a failure has its own exit code, and anything else 1", async () => {
  expect(await describe(new Failure("Unreachable", 3))).toEqual({ message: "Unreachable", exitCode: 3 });
  expect(await describe("thrown")).toEqual({ message: "thrown", exitCode: 1 });
});

import { afterEach, expect, expectTypeOf, test, vi } from "vitest";
import { type CommandContext, defineCommand, JSON_OPTION, LIMIT_OPTION } from "../../../src/cli/command.js";
import { UsageError } from "../../../src/cli/errors.js";
import { createCommandContext, runCommand } from "../../../src/cli/run-command.js";

const seen: unknown[] = [];
const greet = defineCommand({
  name: "greet",
  summary: "Print a greeting",
  args: { name: { required: true, description: "Who." }, others: { multiple: true, description: "And who else." } },
  options: {
    limit: { ...LIMIT_OPTION, default: 10 },
    mode: { type: "string", choices: ["loud", "quiet"], description: "How." },
    file: { type: "string", multiple: true, description: "Files." },
    wait: { type: "duration", description: "How long." },
    json: JSON_OPTION,
  },
  run(input, ctx) {
    expectTypeOf(input.name).toEqualTypeOf<string>();
    expectTypeOf(input.others).toEqualTypeOf<readonly string[]>();
    expectTypeOf(input.limit).toEqualTypeOf<number>();
    expectTypeOf(input.mode).toEqualTypeOf<"loud" | "quiet" | undefined>();
    expectTypeOf(input.file).toEqualTypeOf<readonly string[]>();
    expectTypeOf(input.wait).toEqualTypeOf<number | undefined>();
    expectTypeOf(input.json).toEqualTypeOf<boolean>();
    if (input.name === "fault") throw new UsageError("No such name");
    seen.push(input, ctx.version);
  },
  async helpFor({ name }) {
    seen.push(`help for ${name}`);
    return true;
  },
});

const createContext = ({ isQuiet }: { readonly isQuiet: boolean }): CommandContext & { close(): void } =>
  createCommandContext({
    version: "1.2.3",
    isQuiet,
    openPack: () => Promise.reject(new Error("there is no pack")),
    loadCommands: async () => [greet],
  });
const run = (...argv: string[]): Promise<void> => runCommand(greet, argv, createContext);

afterEach(() => {
  seen.length = 0;
  vi.restoreAllMocks();
});

test("a command gets typed values and its context", async () => {
  await run("Ada", "Grace", "-n2", "--wait", "1m");
  expect(seen).toEqual([
    { name: "Ada", others: ["Grace"], limit: 2, mode: undefined, file: [], wait: 60_000, json: false },
    "1.2.3",
  ]);
});

test("an invalid command line is an error that names the command", async () => {
  await expect(run("--limt", "2")).rejects.toMatchObject({
    name: "UsageError",
    command: "greet",
    message: "Unknown option --limt; did you mean --limit?\nMissing argument NAME",
  });
  await expect(run("fault")).rejects.toMatchObject({ command: "greet", message: "No such name" });
  expect(seen).toEqual([]);
});

test("--help prints the help, and with arguments what the command says of them", async () => {
  const write = vi.spyOn(process.stdout, "write").mockImplementation((_text, done) => {
    (done as unknown as () => void)();
    return true;
  });
  await run("--help");
  expect(String(write.mock.calls[0]?.[0])).toMatch(/^Print a greeting\n\nUsage\n {2}toolwright greet NAME \[OTHERS/);
  await run("Ada", "--help");
  expect(seen).toEqual(["help for Ada"]);
});

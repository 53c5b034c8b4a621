import { spawnSync } from "node:child_process";
import type { Command } from "@toolwright/kit/cli";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadCommands } from "../../src/cli/command-table.js";
import { PACKS } from "../../src/packs.js";
import { main } from "../cli/listening.js";
import { type Arena, createArena, protectedFiles, SECRET_NAME, SECRETS } from "./arena.js";
import { COMMAND_OUTPUTS, COMMAND_PATHS } from "./table.js";

let arena: Arena;
beforeAll(() => {
  arena = createArena();
});
afterAll(() => arena.remove());

const namesOfPacks = async (): Promise<ReadonlySet<string>> => {
  const packs = await Promise.all(Object.values(PACKS).map((load) => load()));
  return new Set(packs.flatMap((pack) => ("commands" in pack ? Object.keys(pack.commands ?? {}) : [])));
};

/** The positional arguments that a shell completes with files. */
const pathsOf = (command: Command, words: string): readonly string[] => [
  ...Object.entries(command.args).flatMap(([name, { complete }]) =>
    complete === "file" || complete === "folder" ? [`${words}.${name}`] : [],
  ),
  ...command.subcommands.flatMap((each) => pathsOf(each, `${words} ${each.name}`)),
];

test("every command of a pack that takes a path is in the table", async () => {
  const names = await namesOfPacks();
  const commands = (await loadCommands()).filter(({ name }) => names.has(name));
  const taken = commands.flatMap((command) => pathsOf(command, command.name));
  expect(taken.filter((each) => !(each in COMMAND_PATHS) && !(each in COMMAND_OUTPUTS))).toEqual([]);
});

test.each(Object.entries(COMMAND_PATHS))(
  "%s shows and changes nothing that is hidden, outside or the server's own",
  (_name, wordsFor) => {
    const before = protectedFiles(arena);
    const env = { ...process.env, TOOLWRIGHT_CONFIG: arena.configuration, TOOLWRIGHT_STATE: arena.stateFolder };
    const given = ["vault", `link-vault/${SECRET_NAME}.md`, ".env", `${arena.root}/src/../state`, "../outside"];
    for (const path of given) {
      const { stdout, stderr } = spawnSync(process.execPath, [main, ...wordsFor(path)], {
        cwd: arena.root,
        encoding: "utf8",
        env,
        input: "",
      });
      expect(SECRETS.filter((secret) => `${stdout}${stderr}`.includes(secret))).toEqual([]);
    }
    expect(protectedFiles(arena)).toEqual(before);
  },
  60_000,
);

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "@toolwright/engine/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createMemoryServer } from "../../src/cli/memory-server.js";
import { loadServeConfig } from "../../src/cli/serve-config.js";
import { type Arena, createArena, protectedFiles, SECRET_NAME, SECRETS } from "./arena.js";
import { TOOL_PATHS } from "./table.js";

const ROUNDS = Number(process.env["RACE_ROUNDS"] ?? 2);
const SWAPPER = fileURLToPath(new URL("../../../workstation/test/attacks/swapper.mjs", import.meta.url));

let arena: Arena;
let client: Awaited<ReturnType<typeof connect>>;
let close: () => Promise<void>;

beforeAll(async () => {
  arena = createArena();
  const words = ["--config", arena.configuration, "--state", arena.stateFolder, "--all-tools"];
  const config = await loadServeConfig(words, { env: {}, folder: arena.root });
  const server = await createMemoryServer(config, arena.stateFolder, "1.0.0");
  client = await connect({ server });
  await client.callTool("kb_create", { collection: "attack" });
  close = async () => {
    await client.close();
    await server.close();
  };
}, 60_000);

afterAll(async () => {
  await close();
  arena.remove();
});

/** Swaps a folder of the root with a link, as fast as a process can, until the test stops it. */
async function startSwapping(target: string): Promise<() => Promise<void>> {
  const folder = path.join(arena.root, "swapped");
  // Calls of another test may have put something else there.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${SECRET_NAME}.md`), "inside\n");
  const child = spawn(process.execPath, [SWAPPER, folder, target], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return async () => {
    child.stdin.end();
    await once(child, "close");
  };
}

/** Programs take long, and each of these starts some. */
const isSlow = (argument: string): boolean => /^(?:ci_|process_|quality_|analyze_|generate_context)/.test(argument);

test.each(["../outside", "vault", "state", ".git"])(
  "no tool follows a link to %s that is put in place while it works",
  async (name) => {
    const before = protectedFiles(arena);
    const stop = await startSwapping(path.join(arena.root, name));
    const leaks: string[] = [];
    for (const [argument, call] of Object.entries(TOOL_PATHS)) {
      const [tool = ""] = argument.split(".");
      for (let round = 0; round < (isSlow(argument) ? 1 : ROUNDS); round += 1) {
        const given = round % 2 === 0 ? `swapped/${SECRET_NAME}.md` : "swapped";
        const result = await client.callTool(tool, call(given)).catch((error: Error) => error.message);
        const text = JSON.stringify(result);
        leaks.push(...SECRETS.filter((secret) => text.includes(secret)).map((secret) => `${argument}: ${secret}`));
      }
    }
    await stop();
    expect(leaks).toEqual([]);
    expect(protectedFiles(arena)).toEqual(before);
  },
  300_000,
);

import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { Child } from "../../../engine/test/stdio/child.js";
import { folder, main } from "../cli/listening.js";
import { findTerminal } from "../cli/pseudo-terminal.js";

const terminal = findTerminal();

test.skipIf(terminal === undefined)("a server whose terminal is closed ends in good order", async () => {
  const file = path.join(folder(), "mcp.sock");
  const [command, args] = (terminal as NonNullable<typeof terminal>)(
    `'${process.execPath}' '${main}' serve --no-config --socket '${file}'`,
  );
  const child = new Child(command, args);
  await child.until(() => child.lines.some((line) => line.startsWith("Ctrl-C")), "its block");
  expect(existsSync(file)).toBe(true);
  child.process.kill("SIGKILL");
  // The socket is what a server removes that is closed, and what one leaves behind that is killed.
  while (existsSync(file)) await setTimeout(20);
});

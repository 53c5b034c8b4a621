import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { examined, fileOf, nodeServer, seen } from "./examined.js";

const TIMEOUT = 200_000;
const LONG_LINE = "fault limits.long-line: It does not survive a line of 12 MB: the process exited with code 0.";
const LINES_OF_SDK = [
  "warning wire.malformed-line: It silently ignores a line that is not JSON.",
  "fault wire.batches: It silently ignores a batch.",
  "warning wire.batches-removed: It silently ignores a batch.",
];

describe.concurrent("servers of other people", () => {
  test("the filesystem server drops batches and misspelled arguments, and dies of a long line", {
    timeout: TIMEOUT,
  }, async () => {
    const server = nodeServer("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", tmpdir());
    const examination = await examined(server, { only: ["wire", "errors", "limits"] });
    expect(examination.revisions).toEqual(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    expect(seen(examination, "fault", "warning")).toEqual([
      ...LINES_OF_SDK,
      "warning errors.misspelt-argument: read_file: an unknown argument is silently ignored.",
      LONG_LINE,
    ]);
  });

  test("the everything server drops batches and dies of a long line", { timeout: TIMEOUT }, async () => {
    const server = nodeServer("node_modules/@modelcontextprotocol/server-everything/dist/index.js", "stdio");
    const examination = await examined(server, { only: ["wire", "limits"] });
    expect(seen(examination, "fault", "warning")).toEqual([...LINES_OF_SDK, LONG_LINE]);
  });
});

const hasPeers = existsSync(fileOf("bench/peers/node_modules/fastmcp"));
if (!hasPeers) console.warn("skipped: the peers are not installed; run npm ci --prefix bench/peers");

describe.skipIf(!hasPeers)("servers made with other engines", { concurrent: true }, () => {
  test("official v1: batches and junk are dropped, a long line ends it, misspelled arguments vanish", {
    timeout: TIMEOUT,
  }, async () => {
    const examination = await examined(nodeServer("bench/peers/sdk-v1.mjs", "1"), {
      only: ["wire", "errors", "limits"],
      allowedTool: "echo",
    });
    expect(seen(examination, "fault", "warning")).toEqual([
      ...LINES_OF_SDK,
      "warning errors.misspelt-argument: echo: an unknown argument is silently ignored.",
      LONG_LINE,
    ]);
  });

  test("official v2: the same, though it speaks both eras", { timeout: TIMEOUT }, async () => {
    const examination = await examined(nodeServer("bench/peers/sdk-v2.mjs", "1", "modern"), {
      only: ["wire", "limits"],
    });
    expect(examination.revisions).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    expect(seen(examination, "fault", "warning")).toEqual([...LINES_OF_SDK, LONG_LINE]);
  });

  test("fastmcp: what is wrong with arguments never reaches the model", { timeout: TIMEOUT }, async () => {
    const examination = await examined(nodeServer("bench/peers/fastmcp.mjs", "1"), {
      only: ["errors"],
      allowedTool: "echo",
    });
    expect(seen(examination, "fault", "warning")).toEqual([
      'warning errors.missing-argument: echo: a call without "text" gets the protocol error -32602, which models do not see.',
      'warning errors.wrong-type: echo: a wrong type for "text" gets the protocol error -32602, which models do not see.',
      "warning errors.misspelt-argument: echo: an unknown argument is silently ignored.",
    ]);
  });

  test("tmcp: does not know the newest handshake, and drops batches", { timeout: TIMEOUT }, async () => {
    const examination = await examined(nodeServer("bench/peers/tmcp.mjs", "1"), { only: ["handshake", "wire"] });
    expect(seen(examination, "note")).toContain(
      "note handshake.revisions: For 2025-11-25, it offered 2025-06-18: clients continue with that.",
    );
    expect(seen(examination, "fault")).toEqual(["fault wire.batches: It silently ignores a batch."]);
  });
});

import { mkdtemp, realpath, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type JsonObject, pack } from "@toolwright/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EMBEDDER_SETTINGS, openEmbedder } from "../../src/embedders/open-embedder.js";

const knowledge = pack({
  name: "knowledge",
  settings: { type: "object", properties: { embedder: EMBEDDER_SETTINGS } },
  open: () => ({ tools: [] }),
});

describe("the setting embedder", () => {
  test.each<JsonObject>([
    {},
    { embedder: "auto" },
    { embedder: "static" },
    { embedder: "minilm" },
    { embedder: { kind: "openai", url: "https://example.org/v1", model: "m", dimension: 512, keyEnv: "KEY" } },
    { embedder: { kind: "ollama", model: "m" } },
    { embedder: { kind: "onnx", folder: "models/m", queryPrefix: "query: " } },
  ])("may be %j", async (settings) => {
    expect(await knowledge(settings).validateSettings?.()).toEqual([]);
  });

  test.each<JsonObject>([
    { embedder: "best" },
    { embedder: 7 },
    { embedder: { kind: "openai", model: "m" } },
    { embedder: { kind: "openai", url: "file:///etc/passwd", model: "m" } },
    { embedder: { kind: "ollama" } },
    { embedder: { kind: "onnx" } },
    { embedder: { kind: "magic" } },
    { embedder: { kind: "ollama", model: "m", key: "k-123" } },
    { embedder: { kind: "ollama", model: "m", dimension: 0 } },
  ])("may not be %j", async (settings) => {
    expect((await knowledge(settings).validateSettings?.())?.length).toBeGreaterThan(0);
  });
});

describe("openEmbedder", () => {
  let empty: string;
  beforeAll(async () => {
    empty = await realpath(await mkdtemp(path.join(os.tmpdir(), "embedder-")));
  });
  afterAll(() => rm(empty, { recursive: true, force: true }));

  test.each(["auto", "static"])("opens the built-in table for %s where no model is installed", async (settings) => {
    const embedder = await openEmbedder(settings, empty, empty);
    expect(embedder).toMatchObject({ name: "static-en-2", dimension: 256 });
    await embedder.close();
  });

  test.each([
    ["minilm", "Cannot use all-MiniLM-L6-v2: "],
    [{ kind: "onnx", folder: "my-model" } as const, "Cannot run the model in my-model: "],
  ])("says how to install what %j needs", async (settings, action) => {
    await expect(openEmbedder(settings, empty, empty)).rejects.toThrow(
      `${action}ONNX Runtime and all-MiniLM-L6-v2 are not installed. Run "toolwright kb model install".`,
    );
  });

  test("needs what it is asked for to be named", async () => {
    await expect(openEmbedder({ kind: "openai", model: "m" }, empty, empty)).rejects.toThrow("embedder.url is missing");
    await expect(openEmbedder({ kind: "ollama" }, empty, empty)).rejects.toThrow("embedder.model is missing");
    await expect(openEmbedder({ kind: "onnx" }, empty, empty)).rejects.toThrow("embedder.folder is missing");
  });
});

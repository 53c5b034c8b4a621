import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createServer, type JsonObject, type Pack } from "@toolwright/engine";
import { expect, onTestFinished, test } from "vitest";
import { loadPack } from "../../src/cli/pack-environment.js";
import { NO_CONFIG } from "../../src/config/config.js";
import { PACKS } from "../../src/packs.js";

// A server takes their word for it that they are right, and starts sooner; so it is seen here that they are.
test.each(Object.entries(PACKS))("all that the pack %s brings is right", async (name, load) => {
  const state = await mkdtemp(path.join(os.tmpdir(), "checked-"));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  const own = (await loadPack(load, NO_CONFIG, state))();
  const doubted: Pack = { name, prevalidated: false, open: (host) => own.open(host) };
  const server = createServer({
    name: "s",
    version: "1",
    packs: [doubted],
    dynamic: true,
    prompts: [],
    resources: [],
    tasks: true,
  });
  onTestFinished(() => server.close());
  await server.start();
  expect(own.prevalidated).toBe(true);
  expect(server.tools.length).toBeGreaterThan(0);
});

test.each(Object.entries(PACKS))("the settings of the pack %s accept their own defaults", async (_name, load) => {
  const create = await loadPack(load, NO_CONFIG, os.tmpdir());
  const properties = (create().settings?.["properties"] ?? {}) as Record<string, JsonObject>;
  const defaults = Object.entries(properties).flatMap(([key, property]) =>
    property["default"] === undefined ? [] : [[key, property["default"]]],
  );
  expect(await create(Object.fromEntries(defaults)).validateSettings?.()).toEqual([]);
});

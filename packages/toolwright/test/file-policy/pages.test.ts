import { createServer } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { serveHttp } from "@toolwright/engine/http";
import type { Page } from "@toolwright/kit/pages";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDashboard } from "../../src/cli/dashboard/open-dashboard.js";
import { LivePack } from "../../src/cli/live-pack.js";
import { packsOf } from "../../src/cli/pack-environment.js";
import { loadServeConfig } from "../../src/cli/serve-config.js";
import { type Arena, createArena, protectedFiles, SECRETS, SPELLINGS, TARGETS } from "./arena.js";

const TOKEN = "a-token-of-the-tests";

let arena: Arena;
let pages: readonly Page[];
let at: (path: string) => string;
let cookie: string;
let close: () => Promise<void>;

beforeAll(async () => {
  arena = createArena();
  const words = ["--config", arena.configuration, "--state", arena.stateFolder, "--all-tools"];
  const config = await loadServeConfig(words, { env: {}, folder: arena.root });
  const loaders = Object.entries(await packsOf(config));
  const packs = loaders.map(([name, load]) => new LivePack(name, load, config, arena.stateFolder));
  const server = createServer({ name: "pages", version: "1.0.0", packs, dynamic: true });
  const client = await connect({ server });
  const dashboard = openDashboard(config, server, { packs, isStandalone: false, writeToken: TOKEN });
  const serving = await serveHttp(server, { port: 0, pages: dashboard.pages });
  at = (path) => new URL(path, serving.url).href;
  // Whatever a model can put onto the pages.
  await client.callTool("kb_create", { collection: "attack" });
  for (const path of [".", "src", "vault", ".env", "state", "../outside", "link-vault", "link-outside"]) {
    await client.callTool("kb_ingest", { collection: "attack", paths: [path] }).catch(() => undefined);
    const task = { description: `look at ${path}`, done_when: { path } };
    await client.callTool("create_task", task).catch(() => undefined);
  }
  pages = packs.flatMap((pack) => pack.pages);
  const unlocked = await fetch(at("/unlock"), {
    method: "POST",
    redirect: "manual",
    headers: { origin: new URL(serving.url).origin },
    body: new URLSearchParams({ token: TOKEN }),
  });
  cookie = (unlocked.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  close = async () => {
    await dashboard.close();
    await serving.close();
    await client.close();
    await server.close();
  };
}, 60_000);

afterAll(async () => {
  await close();
  arena.remove();
});

/** Every page with a path in each of its parameters, or in the query. */
const addressesFor = (given: string): readonly string[] =>
  pages.flatMap(({ path }) => {
    const text = encodeURIComponent(given);
    const filled = path.replaceAll(/:\w+/g, text);
    return [filled, `${path.replaceAll(/:\w+/g, "attack")}?${NAMES.map((name) => `${name}=${text}`).join("&")}`];
  });

const NAMES = ["q", "path", "file", "document", "collection", "source", "version", "id", "task", "cursor"];

async function textOf(address: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(at(address), { redirect: "manual", ...init });
  return `${JSON.stringify([...response.headers])}${await response.text()}`;
}

test("the packs bring pages, and the dashboard is unlocked", async () => {
  expect(pages.length).toBeGreaterThan(8);
  expect(cookie).not.toBe("");
  expect(await textOf("/tasks")).toContain("look at");
});

test("no page shows what is hidden, outside or the server's own, however it is asked", async () => {
  const before = protectedFiles(arena);
  const leaks: string[] = [];
  const given = TARGETS.flatMap((target, index) =>
    SPELLINGS.filter((_, spelling) => (spelling + index) % 3 === 0).map((spell) => spell(target, arena.root)),
  );
  const addresses = new Set(["/", "/server", ...["attack", ...given].flatMap(addressesFor)]);
  for (const address of addresses) {
    const text = await textOf(address);
    leaks.push(...SECRETS.filter((secret) => text.includes(secret)).map((secret) => `${address}: ${secret}`));
  }
  expect(leaks).toEqual([]);
  expect(protectedFiles(arena)).toEqual(before);
}, 300_000);

test("no action reads or changes what is out of reach", async () => {
  const before = protectedFiles(arena);
  const all = pages.flatMap(({ path, actions = {} }) => Object.keys(actions).map((action) => ({ path, action })));
  expect(all.length).toBeGreaterThan(0);
  const origin = new URL(at("/")).origin;
  for (const { path, action } of all)
    for (const target of TARGETS) {
      const address = `${path.replaceAll(/:\w+/g, encodeURIComponent(target.path))}/${action}`;
      const body = new URLSearchParams(Object.fromEntries(NAMES.map((name) => [name, target.path])));
      const text = await textOf(address, { method: "POST", headers: { origin, cookie }, body });
      expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
    }
  expect(protectedFiles(arena)).toEqual(before);
}, 120_000);

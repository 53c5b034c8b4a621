import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createTask } from "@toolwright/todo/tasks/edit-tasks.js";
import { describe, expect, test } from "vitest";
import { openSite, TOKEN, textOf } from "./kit.js";

/** The body as it crossed the wire. */
function rawOf(url: string, headers: Record<string, string>): Promise<{ body: Buffer; encoding: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => resolve({ body: Buffer.concat(pieces), encoding: answer.headers["content-encoding"] }));
    })
      .on("error", reject)
      .end();
  });
}

test("every page says what it may load, and that is nothing of others", async () => {
  const { get } = await openSite();
  const { headers } = await get("/tasks");
  expect(Object.fromEntries([...headers].filter(([name]) => /policy|options|cache/.test(name)))).toEqual({
    "cache-control": "private, no-cache",
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
});

test("no page has a script, a style or a handler in it", async () => {
  const { todo, get } = await openSite({ writeToken: TOKEN });
  const { id } = await createTask(todo, { description: "x" });
  for (const path of [
    "/tasks",
    `/tasks/${id}`,
    "/tasks/graph",
    "/tasks/activity",
    "/tasks/search?q=x",
    "/server",
    "/unlock",
  ])
    expect(await (await get(path)).text()).not.toMatch(/<script>|<style| style=| on[a-z]+=|javascript:/);
});

test("files are kept for ever, under names that change with them", async () => {
  const { get } = await openSite();
  const page = await (await get("/tasks")).text();
  const files = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
  expect(files.map((path) => path.replace(/[\da-f]{12}/, "HASH"))).toEqual([
    "/assets/page-HASH.css",
    "/assets/icon-HASH.svg",
    "/assets/page-HASH.js",
  ]);
  for (const path of files) {
    const { status, headers } = await get(path);
    expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
  }
  expect((await get("/assets/page-000000000000.css")).status).toBe(404);
});

test("pages and files are packed as the browser can take them, and the first page is small", async () => {
  const { todo, get, url } = await openSite();
  for (let number = 0; number < 100; number += 1)
    await createTask(todo, { description: `task ${number}: ${"words that say what to do ".repeat(3)}` });
  const plain = await rawOf(new URL("/tasks", url).href, {});
  expect(plain.encoding).toBeUndefined();
  const gzip = await rawOf(new URL("/tasks", url).href, { "accept-encoding": "gzip, deflate" });
  expect([gzip.encoding, gunzipSync(gzip.body).toString()]).toEqual(["gzip", plain.body.toString()]);
  const brotli = await rawOf(new URL("/tasks", url).href, { "accept-encoding": "gzip, deflate, br" });
  expect([brotli.encoding, brotliDecompressSync(brotli.body).toString()]).toEqual(["br", plain.body.toString()]);
  const page = await (await get("/tasks")).text();
  let bytes = gzip.body.length;
  for (const [, path = ""] of page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g))
    bytes += (await rawOf(new URL(path, url).href, { "accept-encoding": "gzip" })).body.length;
  expect(bytes).toBeLessThan(50_000);
});

test("a page that has not changed is not sent again", async () => {
  const { todo, get } = await openSite();
  const tag = (await get("/tasks")).headers.get("etag") ?? "";
  const same = await get("/tasks", { "if-none-match": tag });
  expect([same.status, await same.text()]).toEqual([304, ""]);
  await createTask(todo, { description: "x" });
  expect((await get("/tasks", { "if-none-match": tag })).status).toBe(200);
});

describe("a request that cannot be answered", () => {
  test("for a task that is not there", async () => {
    const { get } = await openSite();
    const answer = await get("/tasks/task_nobody");
    expect(answer.status).toBe(404);
    expect(textOf(await answer.text())).toContain("Not found task not found: task_nobody Back to Tasks");
    expect((await get("/tasks/%ff%fe")).status).toBe(404);
  });

  test("with another method says which there are", async () => {
    const { url } = await openSite();
    const allowed = async (path: string, method: string): Promise<(number | string | null)[]> => {
      const { status, headers } = await fetch(new URL(path, url), { method });
      return [status, headers.get("allow")];
    };
    expect(await allowed("/", "DELETE")).toEqual([405, "GET, HEAD"]);
    expect(await allowed("/tasks/graph", "POST")).toEqual([405, "GET, HEAD"]);
    expect(await allowed("/tasks/x/done", "GET")).toEqual([405, "POST"]);
    expect(await allowed("/unlock", "PUT")).toEqual([405, "GET, HEAD, POST"]);
  });

  test("HEAD is answered like GET, without the page", async () => {
    const { url } = await openSite();
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
      200,
      "text/html; charset=utf-8",
      "",
    ]);
  });

  test("under a name that is not the server's, or by a page of another site", async () => {
    const { get, url } = await openSite();
    const { body } = await rawOf(url, { host: "evil.example" });
    expect(body.toString()).toContain("is not allowed; add it to allowedHosts");
    expect((await get("/tasks", { origin: "https://evil.example" })).status).toBe(403);
  });
});

import { createHash } from "node:crypto";
import { createTask } from "@toolwright/todo/tasks/edit-tasks.js";
import { getTask } from "@toolwright/todo/tasks/get-task.js";
import { describe, expect, test } from "vitest";
import { openSite, type Site, TOKEN, textOf } from "./kit.js";

/** The cookie that a browser brings along after the form. */
async function unlock({ post }: Site): Promise<string> {
  const answer = await post("/unlock", { token: TOKEN });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

test("nothing can be changed where there is no token", async () => {
  const { todo, get, post } = await openSite();
  const { id } = await createTask(todo, { description: "x" });
  expect((await post(`/tasks/${id}/done`, {})).status).toBe(403);
  expect((await post("/unlock", { token: "" })).status).toBe(403);
  expect((await getTask(todo, { id })).status).toBe("pending");
  const text = textOf(await (await get("/unlock")).text());
  expect(text).toContain("This dashboard is read-only.");
  // The pages come with a server here, which has no such option.
  expect(text).toContain(
    "set http.writeToken in the configuration, or the environment variable TOOLWRIGHT_WRITE_TOKEN , to a token",
  );
  expect(text).not.toContain("--write-token");
  expect(await (await get(`/tasks/${id}`)).text()).not.toContain('method="post"');
});

describe("with a token", () => {
  test("the form gives a cookie for this site alone, and only for the right token", async () => {
    const { post, get } = await openSite({ writeToken: TOKEN });
    const wrong = await post("/unlock", { token: `${TOKEN}x` });
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([403, null]);
    expect(textOf(await wrong.text())).toContain("This is not the write token.");
    const right = await post("/unlock", { token: ` ${TOKEN} ` });
    expect(right.headers.get("set-cookie")).toMatch(
      /^toolwright_write_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const cookie = (right.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    expect(textOf(await (await get("/unlock", { cookie })).text())).toContain(
      "For 12 hours, or until you close this browser, you can mark tasks as done and set their priority.",
    );
    const locked = await post("/lock", {}, { cookie });
    expect(locked.headers.get("set-cookie")).toMatch(/=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
    // A copy of the cookie is worth nothing any more.
    expect(textOf(await (await get("/unlock", { cookie })).text())).not.toContain("For 12 hours");
  });

  test("neither the token nor anything derived from it is accepted as a cookie", async () => {
    const site = await openSite({ writeToken: TOKEN });
    const { id } = await createTask(site.todo, { description: "x" });
    const [name] = (await unlock(site)).split("=");
    const hash = createHash("sha256").update(TOKEN);
    for (const value of [TOKEN, hash.copy().digest("hex"), hash.copy().digest("base64url")])
      expect((await site.post(`/tasks/${id}/done`, { version: "1" }, { cookie: `${name}=${value}` })).status).toBe(403);
  });

  test("done and priority can be set, and nothing else", async () => {
    const site = await openSite({ writeToken: TOKEN });
    const { todo, get, post } = site;
    const { id } = await createTask(todo, { description: "x" });
    const cookie = await unlock(site);
    expect(await (await get(`/tasks/${id}`, { cookie })).text()).toContain("Mark as done");
    const set = await post(`/tasks/${id}/priority`, { priority: "1", version: "1", description: "y" }, { cookie });
    expect([set.status, set.headers.get("location")]).toEqual([303, `/tasks/${id}`]);
    expect((await post(`/tasks/${id}/done`, { version: "2" }, { cookie })).status).toBe(303);
    expect(await getTask(todo, { id, include: ["history"] })).toMatchObject({
      description: "x",
      priority: 1,
      status: "completed",
      history: [{ actor: "dashboard" }, { actor: "dashboard" }, { kind: "created" }],
    });
    expect((await post(`/tasks/${id}/priority`, { priority: "6", version: "3" }, { cookie })).status).toBe(400);
    expect((await post("/tasks/nobody/done", { version: "1" }, { cookie })).status).toBe(404);
    expect((await post(`/tasks/${id}/delete`, {}, { cookie })).status).toBe(404);
  });

  test("a change based on an outdated version is rejected", async () => {
    const site = await openSite({ writeToken: TOKEN });
    const { id } = await createTask(site.todo, { description: "x" });
    const cookie = await unlock(site);
    await site.post(`/tasks/${id}/priority`, { priority: "2", version: "1" }, { cookie });
    const late = await site.post(`/tasks/${id}/done`, { version: "1" }, { cookie });
    expect(late.status).toBe(409);
    expect(textOf(await late.text())).toContain("it has version 2, not 1");
  });

  test.each([{}, { version: "" }, { version: "abc" }, { version: "0" }, { version: "1.5" }, { version: "1e9x" }])(
    "a form that does not say which version was seen changes nothing: %j",
    async (form) => {
      const site = await openSite({ writeToken: TOKEN });
      const { id } = await createTask(site.todo, { description: "x" });
      const cookie = await unlock(site);
      for (const deed of ["done", "priority"])
        expect((await site.post(`/tasks/${id}/${deed}`, { priority: "1", ...form }, { cookie })).status).toBe(400);
      expect(await getTask(site.todo, { id })).toMatchObject({ status: "pending", version: 1 });
    },
  );

  test("the page says who has the token, whoever has made it", async () => {
    const { get } = await openSite({ writeToken: TOKEN });
    const text = textOf(await (await get("/unlock")).text());
    expect(text).toContain("The person who started the server has it.");
    expect(text).not.toContain("printed");
  });

  test("who has no cookie, or a forged one, is shown the form", async () => {
    const site = await openSite({ writeToken: TOKEN });
    const { id } = await createTask(site.todo, { description: "x" });
    const cookie = await unlock(site);
    for (const other of ["", `${cookie}x`, cookie.replace(/=.*/, "="), cookie.replace("toolwright", "other"), "%="])
      expect((await site.post(`/tasks/${id}/done`, {}, { cookie: other })).status).toBe(403);
    expect((await getTask(site.todo, { id })).status).toBe("pending");
  });

  test.each([
    { origin: "http://localhost:1" },
    { origin: "http://127.0.0.1:1" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("a page elsewhere cannot use the cookie: %j", async (headers) => {
    const site = await openSite({ writeToken: TOKEN });
    const { id } = await createTask(site.todo, { description: "x" });
    const cookie = await unlock(site);
    expect((await site.post(`/tasks/${id}/done`, {}, { cookie, ...headers })).status).toBe(403);
    const without = await fetch(new URL(`/tasks/${id}/done`, site.url), { method: "POST", headers: { cookie } });
    expect(without.status).toBe(403);
    expect((await getTask(site.todo, { id })).status).toBe("pending");
  });

  test("a token that could be guessed is refused", async () => {
    await expect(openSite({ writeToken: "short" })).rejects.toThrow(
      "Cannot use the write token: it must have at least 16 characters",
    );
  });
});

import { expect, test } from "vitest";
import { openSite, textOf } from "./kit.js";

test("the page of the server names every revision that it speaks, the newest first", async () => {
  const { get, server } = await openSite();
  const text = textOf(await (await get("/server")).text());
  const all = server.revisions.map(({ version }) => version);
  expect(all.length).toBeGreaterThan(1);
  expect(text).toContain(`Protocol versions: ${all.join(", ")}`);
});

import { expect, test } from "vitest";
import { startLoopback, vectorOf } from "../embedders/kit.js";
import { openBench } from "../kit.js";

/** A bench whose vectors come from an endpoint, which is there as long as it is said to be. */
async function openEndpoint(more: object = {}) {
  const endpoint = { isUp: true };
  const { url, received } = await startLoopback(({ body: { input = [] } }) =>
    endpoint.isUp
      ? { body: { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) } }
      : { status: 400, body: { error: "out of order" } },
  );
  const settings = { embedder: { kind: "openai", url, model: "tiny", ...more } };
  const bench = await openBench({ settings });
  await bench.call("kb_create", { name: "docs" });
  const take = (...names: string[]) =>
    bench.call("kb_ingest", { collection: "docs", texts: names.map((name) => ({ name, text: `The ${name} sings.` })) });
  return { ...bench, settings, endpoint, received, take };
}

test("a version that could not get its vectors does not take the place of one that has them", async () => {
  const { call, take, endpoint, received } = await openEndpoint();
  expect(await take("walrus", "seal")).toMatchObject({ version: 1, promoted: true, embedder: "openai:tiny" });
  endpoint.isUp = false;
  for (let time = 0; time < 2; time += 1) {
    const down = await take("walrus", "whale");
    expect(down).toMatchObject({ version: 2, promoted: false, held: "vectors", embedder: "", documents: 3 });
    expect(down["warnings"]).toEqual([
      expect.stringMatching(/^There are no vectors.*out of order/),
      "Version 1, which has vectors, stays active until then. Promote version 2 to use it anyway.",
    ]);
  }
  expect(await call("kb_versions", { collection: "docs" })).toMatchObject({ active: 1 });
  endpoint.isUp = true;
  const before = received.length;
  expect(await take("walrus", "whale")).toMatchObject({ version: 3, promoted: true, embedder: "openai:tiny" });
  // Vectors of what was there are not made again.
  expect(received.slice(before).flatMap(({ body: { input = [] } }) => input)).toEqual(["The whale sings."]);
});

test("where nothing has changed, an embedder that cannot be opened changes nothing either", async () => {
  const up = await openEndpoint();
  await up.take("walrus");
  up.endpoint.isUp = false;
  const later = await openBench({ state: up.state, folder: up.folder, settings: up.settings });
  const texts = [{ name: "walrus", text: "The walrus sings." }];
  expect(await later.call("kb_ingest", { collection: "docs", texts })).toMatchObject({
    version: 1,
    promoted: true,
    embedder: "openai:tiny",
    delta: { unchanged: 1 },
    warnings: [expect.stringMatching(/^No vectors can be created now: .*out of order/)],
  });
  texts.push({ name: "whale", text: "The whale sings." });
  for (let time = 0; time < 2; time += 1)
    expect(await later.call("kb_ingest", { collection: "docs", texts })).toMatchObject({
      version: 2,
      held: "vectors",
      embedder: "",
    });
  // Who wants no vectors gets none.
  expect(await later.call("kb_ingest", { collection: "docs", texts, embed: false })).toMatchObject({ promoted: true });
});

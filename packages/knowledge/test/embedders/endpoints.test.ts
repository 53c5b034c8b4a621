import { describe, expect, test } from "vitest";
import { openEndpoint } from "../../src/embedders/endpoint-embedder.js";
import type { NamedEmbedder } from "../../src/embedders/settings.js";
import { deadAddress, type Received, type Reply, startLoopback, vectorOf } from "./kit.js";

const passage = { kind: "passage" } as const;
const open = (settings: NamedEmbedder, environment: Record<string, string> = {}) =>
  openEndpoint(settings, { environment, pauseMs: 1 });

const openai = ({ body: { input = [] } }: Received): Reply => ({
  body: { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) },
});
const ollama = ({ body: { input = [] } }: Received): Reply => ({ body: { embeddings: input.map(vectorOf) } });

/** How many requests an endpoint gets for one text, once the dimension is known. */
const settingsOf = (url: string, more: Partial<NamedEmbedder> = {}): NamedEmbedder => ({
  kind: "openai",
  url: `${url}/v1`,
  model: "tiny",
  dimension: 3,
  ...more,
});

describe("an endpoint that speaks as OpenAI does", () => {
  test("is asked for its dimension where the settings do not say it, and gives vectors of unit length", async () => {
    const { url, received } = await startLoopback(openai);
    const embedder = await open({ kind: "openai", url: `${url}/v1/`, model: "tiny" });
    expect(embedder).toMatchObject({ name: "openai:tiny", dimension: 3, batch: 32 });
    const [vector] = await embedder.embed(["abc"], passage);
    expect([...(vector ?? [])].map((value) => value.toFixed(4))).toEqual(["0.0309", "0.9995", "0.0103"]);
    expect(received.map(({ path }) => path)).toEqual(["/v1/embeddings", "/v1/embeddings"]);
    expect(received[1]?.body).toEqual({ model: "tiny", input: ["abc"], encoding_format: "float" });
    expect(received[1]?.headers.authorization).toBeUndefined();
  });

  test("gets the texts in batches, and its answers are put in the order of the texts", async () => {
    const { url, received } = await startLoopback((request) => {
      const reply = openai(request) as { body: { data: unknown[] } };
      return { body: { data: reply.body.data.toReversed() } };
    });
    const embedder = await open(settingsOf(url, { batch: 2 }));
    const texts = ["a", "bb", "", "ccc", "  ", "dddd", "eeeee"];
    const vectors = await embedder.embed(texts, passage);
    expect(received.map(({ body }) => body.input)).toEqual([["a", "bb"], ["ccc", "dddd"], ["eeeee"]]);
    expect(vectors.map((vector) => Math.round((vector[0] ?? 0) / (vector[2] || 1)))).toEqual([1, 2, 0, 3, 0, 4, 5]);
    expect(received[0]?.body.dimensions).toBe(3);
  });

  test("uses the prefixes of the settings for queries and documents; they are part of its name", async () => {
    const { url, received } = await startLoopback(openai);
    const embedder = await open(settingsOf(url, { queryPrefix: "Q: ", passagePrefix: "P: " }));
    await embedder.embed(["x"], { kind: "query" });
    await embedder.embed(["x"], passage);
    expect(received.map(({ body }) => body.input)).toEqual([["Q: x"], ["P: x"]]);
    expect(embedder.name).toBe("openai:tiny#66227b48");
  });

  test("gets the key of the variable that the settings name", async () => {
    const { url, received } = await startLoopback(openai);
    const embedder = await open(settingsOf(url, { keyEnv: "MY_KEY" }), { MY_KEY: " k-123\n" });
    await embedder.embed(["x"], passage);
    expect(received[0]?.headers.authorization).toBe("Bearer k-123");
    await expect(open(settingsOf(url, { keyEnv: "NO_KEY" }))).rejects.toThrow(
      "Cannot embed texts: the environment variable NO_KEY, which embedder.keyEnv names, is not set.",
    );
  });

  test.each<[string, Reply]>([
    ["429", { status: 429, headers: { "retry-after": "0" }, body: { error: { message: "slow down" } } }],
    ["503", { status: 503, body: "" }],
    ["a lost connection", "cut"],
  ])("is asked again after %s", async (_, setback) => {
    const { url, received } = await startLoopback((request, number) => (number < 3 ? setback : openai(request)));
    const embedder = await open(settingsOf(url));
    expect((await embedder.embed(["x"], passage)).length).toBe(1);
    expect(received.length).toBe(4);
  });

  test("is given up after five failures, with its reason", async () => {
    const { url, received } = await startLoopback(() => ({ status: 500, body: { error: "out of memory" } }));
    const embedder = await open(settingsOf(url));
    await expect(embedder.embed(["x"], passage)).rejects.toThrow(
      `Cannot embed texts with the model tiny at ${url}: ${new URL(url).host} answered 500: out of memory (tried 5 times).`,
    );
    expect(received.length).toBe(5);
  });

  test.each<[number, Partial<NamedEmbedder>, string]>([
    [401, {}, "It requires an API key: set embedder.keyEnv to the environment variable that contains it."],
    [401, { keyEnv: "KEY" }, "It rejects the key in the environment variable of embedder.keyEnv."],
    [404, {}, "Check embedder.url, and whether the server has the model of embedder.model."],
    [400, {}, "Check embedder.model and embedder.dimension."],
  ])("that answers %i is not asked again; %o", async (status, more, advice) => {
    const { url, received } = await startLoopback(() => ({ status, body: { error: { message: "bad key k-123" } } }));
    const embedder = await open(settingsOf(url, more), { KEY: "k-123" });
    const failed = embedder.embed(["x"], passage);
    await expect(failed).rejects.toThrow(advice);
    await expect(failed).rejects.toMatchObject({ code: "UNAVAILABLE" });
    if (more.keyEnv !== undefined) await expect(failed).rejects.toThrow("answered 401: bad key ***.");
    expect(received.length).toBe(1);
  });

  test("cannot send texts on to another address", async () => {
    const other = await startLoopback(openai);
    const { url } = await startLoopback(() => ({ status: 307, headers: { location: other.url }, body: "" }));
    const embedder = await open(settingsOf(url));
    await expect(embedder.embed(["secret"], passage)).rejects.toThrow("It redirects to another address");
    expect(other.received).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["too few vectors", { data: [] }, "it returned 0 vectors for 1 texts"],
    ["no vectors", { hello: 1 }, "it returned no vectors for 1 texts"],
    ["null", "null", "it returned no vectors for 1 texts"],
    ["words", { data: [{ index: 0, embedding: ["a"] }] }, "contains values that are not numbers"],
    ["holes", { data: [{ index: 0, embedding: [1, null, 2] }] }, "contains values that are not numbers"],
    ["a page", "<html>", "is not JSON. Check embedder.url."],
    [
      "four components",
      { data: [{ index: 0, embedding: [1, 2, 3, 4] }] },
      "its vectors have 4 components instead of 3. Set embedder.dimension to 4",
    ],
  ])("that gives %s is not believed", async (_, body, message) => {
    const { url } = await startLoopback(() => ({ body }));
    const embedder = await open(settingsOf(url));
    await expect(embedder.embed(["x"], passage)).rejects.toThrow(message);
  });

  test("that never answers is given up when its time is over", async () => {
    const { url } = await startLoopback(() => "never");
    const embedder = await open(settingsOf(url, { timeoutMs: 100 }));
    await expect(embedder.embed(["x"], passage)).rejects.toThrow("no answer within 100 ms (tried 5 times)");
  });

  test("that is not there is named", async () => {
    const url = await deadAddress();
    const embedder = await open(settingsOf(url));
    await expect(embedder.embed(["x"], passage)).rejects.toThrow(
      `${new URL(url).host} cannot be reached: ECONNREFUSED (tried 5 times)`,
    );
  });

  test.each<Reply>(["never", { status: 503, headers: { "retry-after": "3600" }, body: "" }])(
    "is left as soon as the call is cancelled: %j",
    async (reply) => {
      const stop = new AbortController();
      const { url, received } = await startLoopback(() => {
        setImmediate(() => stop.abort(new Error("cancelled")));
        return reply;
      });
      const embedder = await open(settingsOf(url));
      await expect(embedder.embed(["x"], { ...passage, signal: stop.signal })).rejects.toThrow("cancelled");
      expect(received.length).toBe(1);
    },
  );

  test.each([
    [{ url: "ftp://example.org" }, "embedder.url is not an http or https URL: ftp://example.org"],
    [{ url: "https://me:secret@example.org" }, "embedder.url contains a password"],
  ])("needs a proper address: %o", async (more, message) => {
    await expect(open({ kind: "openai", model: "tiny", ...more })).rejects.toThrow(message);
  });
});

describe("an Ollama server", () => {
  test("is asked at /api/embed", async () => {
    const { url, received } = await startLoopback(ollama);
    const embedder = await open({ kind: "ollama", url, model: "nomic-embed-text" });
    expect(embedder).toMatchObject({ name: "ollama:nomic-embed-text", dimension: 3 });
    expect((await embedder.embed(["a", "b"], passage)).length).toBe(2);
    expect(received[1]).toMatchObject({
      path: "/api/embed",
      body: { model: "nomic-embed-text", input: ["a", "b"], truncate: true },
    });
  });

  test("without the model says so", async () => {
    const { url } = await startLoopback(() => ({
      status: 404,
      body: { error: 'model "x" not found, try pulling it first' },
    }));
    await expect(open({ kind: "ollama", url, model: "x" })).rejects.toThrow(
      'answered 404: model "x" not found, try pulling it first. Check embedder.url',
    );
  });
});

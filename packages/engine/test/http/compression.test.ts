import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createServer, tool } from "@toolwright/engine";
import { type HttpOptions, serveHttp } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { chooseCoding } from "../../src/transports/http/compression.js";

const text = tool({
  name: "text",
  description: "Repeats a letter.",
  input: { type: "object", properties: { length: { type: "integer" } }, required: ["length"] },
  run({ length }, { progress }) {
    if (length === 5000) progress(1, "half");
    return "ö".repeat(length);
  },
});

/** Calls the tool and gives the headers and the raw body. */
async function call(length: number, headers: Record<string, string>, options: HttpOptions = { compression: true }) {
  const server = createServer({ name: "test", version: "1.0.0", tools: [text] });
  const serving = await serveHttp(server, { port: 0, sessions: false, allowedOrigins: ["*"], ...options });
  onTestFinished(() => serving.close());
  const params = { name: "text", arguments: { length }, _meta: { progressToken: 1 } };
  return new Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    const sent = request(
      serving.url,
      { method: "POST", headers: { "content-type": "application/json", accept: "application/json", ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  });
}

const answer = (length: number) => ({
  jsonrpc: "2.0",
  id: 1,
  result: { content: [{ type: "text", text: "ö".repeat(length) }], isError: false },
});

describe("with compression", () => {
  test.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)("a large answer is compressed if the client accepts it: %s", async (coding, decompress) => {
    const { headers, body } = await call(20_000, { "accept-encoding": coding });
    expect(headers).toMatchObject({
      "content-encoding": coding,
      "content-type": "application/json",
      "content-length": `${body.length}`,
      vary: "Accept-Encoding",
    });
    expect(body.length).toBeLessThan(2000);
    expect(JSON.parse(decompress(body).toString())).toEqual(answer(20_000));
  });

  test("a large answer is sent as it is if the client does not accept it", async () => {
    for (const header of [{}, { "accept-encoding": "gzip;q=0, deflate" }]) {
      const { headers, body } = await call(20_000, header);
      expect(headers["content-encoding"]).toBeUndefined();
      expect(headers["vary"]).toBe("Accept-Encoding");
      expect(JSON.parse(body.toString())).toEqual(answer(20_000));
    }
  });

  test("a small answer is sent as it is", async () => {
    const { headers, body } = await call(400, { "accept-encoding": "gzip, br" });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse(body.toString())).toEqual(answer(400));
    const raised = await call(20_000, { "accept-encoding": "gzip" }, { compression: { minBytes: 100_000 } });
    expect(raised.headers["content-encoding"]).toBeUndefined();
  });

  test("an event stream is sent as it is", async () => {
    const { headers, body } = await call(5000, {
      accept: "application/json, text/event-stream",
      "accept-encoding": "gzip",
    });
    expect(headers["content-type"]).toBe("text/event-stream");
    expect(headers["content-encoding"]).toBeUndefined();
    expect(body.toString()).toContain('"method":"notifications/progress"');
  });

  test("Vary names the origin, too, where the answer depends on it", async () => {
    const { headers } = await call(20_000, { "accept-encoding": "gzip", origin: "https://app.example" });
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Origin, Accept-Encoding" });
  });
});

test("without compression, nothing is compressed", async () => {
  const { headers } = await call(20_000, { "accept-encoding": "gzip, br" }, {});
  expect([headers["content-encoding"], headers["vary"]]).toEqual([undefined, undefined]);
});

test.each([
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["deflate", undefined],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["gzip, deflate, br", "br"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br;q=0, *", "gzip"],
  ["*", "br"],
  ["*;q=0", undefined],
  ["identity, gzip;q=0.5", undefined],
  ["gzip;q=high", undefined],
])("Accept-Encoding: %s is answered with %s", (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { JSON_HEADERS } from "../../../src/transports/http/http-message.js";
import { NodeAdapter } from "../../../src/transports/http/node-adapter.js";

const ADAPTER_OPTIONS = { proxies: undefined, stalledMs: 1000, expectsContinue: false };

/** Sends pipelined requests and returns the raw responses. The server responds with the body of each path, in reverse order. */
async function sendRequests(bodies: Readonly<Record<string, string>>, ...requests: readonly string[]): Promise<string> {
  const pending: (() => void)[] = [];
  const server = createServer((request, response) => {
    const adapter = new NodeAdapter(request, response, ADAPTER_OPTIONS);
    const respond = (): void => adapter.send(200, JSON_HEADERS, bodies[adapter.path]);
    if (pending.push(respond) === requests.length) for (const each of pending.reverse()) each();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const heads = requests.map((line, at) => {
    const connection = at === requests.length - 1 ? "close" : "keep-alive";
    return `${line} HTTP/1.1\r\nHost: here\r\nConnection: ${connection}\r\n\r\n`;
  });
  socket.write(heads.join(""));
  const chunks = await socket.toArray();
  return Buffer.concat(chunks).toString();
}

const bodiesOf = (responses: string): readonly string[] =>
  responses.split(/HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\n/).filter((body) => body !== "");

test.each([
  ["of ASCII", '{"text":"plain"}'],
  ["with other characters", '{"text":"Grüße, 你好 👋"}'],
  ["that is large", JSON.stringify("x".repeat(500_000))],
  ["that is large and has other characters", JSON.stringify("ü".repeat(200_000))],
])("a response %s arrives complete, with its length in bytes", async (_what, body) => {
  const response = await sendRequests({ "/": body }, "GET /");
  expect(response).toContain(`content-length: ${Buffer.byteLength(body)}\r\n`);
  expect(bodiesOf(response)).toEqual([body]);
});

test("a pipelined response is sent after the one before it", async () => {
  const responses = await sendRequests({ "/first": '"größer"', "/second": '"two"' }, "GET /first", "GET /second");
  expect(bodiesOf(responses)).toEqual(['"größer"', '"two"']);
});

test("HEAD gets the length and no body", async () => {
  const response = await sendRequests({ "/": '"unseen"' }, "HEAD /");
  expect(response).toContain("content-length: 8\r\n");
  expect(bodiesOf(response)).toEqual([]);
});

import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { NodeExchange } from "./node-exchange.js";
import { JSON_HEADERS } from "./refusals.js";

const PLACE = { proxies: undefined, stalledMs: 1000, isExpecting: false };

/** Sends requests over one connection at once, and gives all that comes back. Each is answered with the text of its path, the first one last. */
async function ask(bodies: Readonly<Record<string, string>>, ...requests: readonly string[]): Promise<string> {
  const late: (() => void)[] = [];
  const server = createServer((request, response) => {
    const exchange = new NodeExchange(request, response, PLACE);
    const answer = (): void => exchange.send(200, JSON_HEADERS, bodies[exchange.path]);
    if (late.push(answer) === requests.length) for (const each of late.reverse()) each();
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

const bodiesOf = (answers: string): readonly string[] =>
  answers.split(/HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\n/).filter((body) => body !== "");

test.each([
  ["of ASCII", '{"text":"plain"}'],
  ["with other characters", '{"text":"Grüße, 你好 👋"}'],
  ["that is large", JSON.stringify("x".repeat(500_000))],
  ["that is large and has other characters", JSON.stringify("ü".repeat(200_000))],
])("an answer %s arrives whole, with its length in bytes", async (_what, body) => {
  const answer = await ask({ "/": body }, "GET /");
  expect(answer).toContain(`content-length: ${Buffer.byteLength(body)}\r\n`);
  expect(bodiesOf(answer)).toEqual([body]);
});

test("an answer that waits for the one before it on its connection comes after it", async () => {
  const answers = await ask({ "/first": '"größer"', "/second": '"two"' }, "GET /first", "GET /second");
  expect(bodiesOf(answers)).toEqual(['"größer"', '"two"']);
});

test("HEAD gets the length and no body", async () => {
  const answer = await ask({ "/": '"unseen"' }, "HEAD /");
  expect(answer).toContain("content-length: 8\r\n");
  expect(bodiesOf(answer)).toEqual([]);
});

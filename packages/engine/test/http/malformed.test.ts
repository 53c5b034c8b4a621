import { expect, test } from "vitest";
import { Random } from "../../../../tests/fuzz/random.js";
import { type Message, pause, type Served, serve, textOf } from "./serve.js";
import { callModern, modern } from "./stateless-request.js";
import { postText, Wire } from "./wire.js";

const COUNT = Number(process.env["FUZZ_REQUESTS"] ?? 1000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_115);

const valid = modern("tools/call", { name: "echo", arguments: { text: "hi" } });
const whole = postText(valid.body, valid.headers);
const NASTY = [
  "\0",
  "\r",
  "\n",
  "\r\n\r\n",
  "é",
  "\u00ff",
  "{",
  "[",
  '"',
  "%00",
  "../../../../tests/",
  " ",
  "\t",
  ":",
  ";",
  ",",
  "x".repeat(5000),
];
const NAMES = [
  "host",
  "origin",
  "content-type",
  "content-length",
  "transfer-encoding",
  "accept",
  "mcp-session-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "last-event-id",
  "connection",
  "expect",
  "upgrade",
  "authorization",
];
const VALUES = [
  "",
  "x",
  "0",
  "-1",
  "99999999999999999999",
  "chunked",
  "gzip",
  "close",
  "*/*;q=nope",
  "text/html",
  "null",
  "http://[",
  "=?base64?!!?=",
  "100-continue",
  "h2c",
  "application/json; charset=latin1",
  "\u00ff\u00fe",
  "a".repeat(3000),
];
const BODIES = [
  "",
  "null",
  "[]",
  "[[]]",
  "{",
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":{},"method":1}',
  "[".repeat(5000),
  '{"a":'.repeat(2000),
  "\u0000",
  '"',
  "1e999",
  '{"__proto__":{"x":1},"jsonrpc":"2.0","id":1,"method":"tools/list"}',
];
const STARTS = [
  "GET",
  "PUT",
  "TRACE",
  "CONNECT",
  "PRI * HTTP/2.0\r\n\r\nSM",
  "post",
  "\x16\x03\x01\x02\x00",
  "POST  ",
  "OPTIONS",
];
const TARGETS = [
  "/",
  "*",
  "//mcp",
  "/mcp/",
  "/mcp?x=%",
  "/MCP",
  "http://evil.example/mcp",
  "/../mcp",
  "/%6dcp",
  "/mcp#x",
  "/health",
  "\u00ff",
];

/** One request with something wrong, or odd, about it. */
function spoil(dice: Random): string {
  switch (dice.below(8)) {
    case 0:
      return whole.replace("POST", dice.pick(STARTS));
    case 1:
      return whole.replace("/mcp", dice.pick(TARGETS));
    case 2:
      return whole.replace("HTTP/1.1", dice.pick(["HTTP/1.0", "HTTP/9.9", "HTTP/1.1 ", "", "HTTPS/1.1", "http/1.1"]));
    case 3:
      return postText(dice.pick(BODIES), valid.headers);
    case 4:
      return postText(valid.body, { ...valid.headers, [dice.pick(NAMES)]: dice.pick(VALUES) });
    case 5: {
      const at = dice.below(whole.length);
      return whole.slice(0, at) + dice.pick(NASTY) + whole.slice(at + dice.below(3));
    }
    case 6:
      return whole.slice(0, dice.below(whole.length));
    default: {
      const lines = whole.split("\r\n");
      lines.splice(1 + dice.below(lines.length - 1), dice.below(2), `${dice.pick(NAMES)}:${dice.pick(VALUES)}`);
      return lines.join("\r\n");
    }
  }
}

/** Sends one of them, says after a while that nothing more comes, and gives what came back. */
async function provoke(site: Served, text: string): Promise<string> {
  const wire = new Wire(site.port).write(Buffer.from(text, "latin1"));
  const answered = new Promise<void>((resolve) => void wire.socket.once("data", () => resolve()));
  // Who says so at once may be taken for one that has gone.
  await Promise.race([answered, wire.closed, pause(50)]);
  wire.socket.end();
  const late = setTimeout(() => wire.socket.destroy(), 3000);
  await wire.closed;
  clearTimeout(late);
  return wire.text;
}

test(`${COUNT} malformed requests get a fitting status, learn nothing of the inside, and the next one is served`, async () => {
  const site = await serve({ rate: false, limits: { headersMs: 1000, requestMs: 1500, streams: 10 } });
  const dice = new Random(SEED);
  const seen = new Map<number, number>();
  for (let sent = 0; sent < COUNT; sent += 20) {
    const texts = Array.from({ length: 20 }, () => spoil(dice));
    const answers = await Promise.all(texts.map((text) => provoke(site, text)));
    for (const [at, answer] of answers.entries()) {
      const about = `seed ${SEED}: ${JSON.stringify(texts[at]?.slice(0, 300))} → ${JSON.stringify(answer.slice(0, 500))}`;
      for (const [, code] of answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        const status = Number(code);
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect([100, 200, 202, 204, 400, 403, 404, 405, 406, 408, 413, 415, 417, 431], about).toContain(status);
      }
      expect(answer, about).not.toMatch(/\bat .*\.[jt]s:\d+|node_modules|packages\/engine|TypeError|RangeError|ENOENT/);
    }
  }
  // There was something of everything: refused by Node, by the guard, by the endpoint and by the server.
  for (const status of [200, 400, 403, 404, 405, 415]) expect(seen.get(status) ?? 0).toBeGreaterThan(0);
  const faults = site.entries.filter(({ level }) => level === "error");
  expect(faults).toEqual([]);
  const answer = await callModern(site, "echo", { text: "well" });
  expect(textOf((await answer.json()) as Message)).toBe("well");
}, 60_000);

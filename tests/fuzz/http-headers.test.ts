import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Message, type Served, serve, textOf, until } from "../../packages/engine/test/http/serve.js";
import { callModern, modern } from "../../packages/engine/test/http/stateless-request.js";
import { Wire } from "../../packages/engine/test/http/wire.js";

const RUNS = Number(process.env["FUZZ_HEADERS"] ?? 400);
const IN_ONE = 10;
const NAMES = [
  "Accept",
  "Content-Type",
  "Origin",
  "Host",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Param-text",
  "Mcp-Session-Id",
  "MCP-Protocol-Version",
  "Last-Event-ID",
  "Authorization",
  "traceparent",
] as const;

/** Parts of these headers, so that some inputs are almost valid. */
const piece = fc.constantFrom(
  ..."* / ; , = - : . q=0 q=1 1 0 99999999999999999999 -1 e3 application/json text/event-stream */* charset".split(" "),
  ..."http:// https:// localhost 127.0.0.1 [::1] [ ] @ null =?base64? ?= ZWNobw== tools/call echo 2026-07-28".split(
    " ",
  ),
  ..."2025-11-25 1999-01-01 Bearer 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 __proto__ \t s-1 -0 -1e3".split(
    " ",
  ),
  "é",
  "\u{0}",
  "\u{7f}",
  "\u{ff}",
  " ",
  "x".repeat(2000),
);
const bytes = fc.uint8Array({ maxLength: 12 }).map((some) => Buffer.from(some).toString("latin1"));
// A line break would end the header, which Node's parser handles.
const value = fc
  .array(fc.oneof({ arbitrary: piece, weight: 3 }, { arbitrary: bytes, weight: 1 }), { maxLength: 6 })
  .map((parts) => parts.join("").replace(/[\r\n]/g, ""));

interface Shape {
  readonly method: "POST" | "GET" | "DELETE" | "OPTIONS";
  readonly inSession: boolean;
  readonly given: readonly (readonly [name: string, value: string])[];
}

const shape: fc.Arbitrary<Shape> = fc.record({
  method: fc.constantFrom("POST", "GET", "DELETE", "OPTIONS"),
  inSession: fc.boolean(),
  given: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), value), {
    minLength: 1,
    maxLength: 3,
    selector: ([name]) => name,
  }),
});

const valid = modern("tools/call", { name: "echo", arguments: { text: "hi" } });
const body = JSON.stringify(valid.body);

/** A request with valid headers, except for the given ones. */
function toText({ method, inSession, given }: Shape, site: Served, session: string): string {
  const headers = new Map<string, string>([
    ["host", new URL(site.url).host],
    ["accept", "application/json, text/event-stream"],
    ["content-type", "application/json"],
    ...Object.entries(valid.headers),
    ...(inSession ? [["mcp-session-id", session] as const, ["mcp-protocol-version", "2025-11-25"] as const] : []),
    ...given.map(([name, text]) => [name.toLowerCase(), text] as const),
  ]);
  const sent = method === "POST" ? body : "";
  headers.set("content-length", String(sent.length));
  const lines = [...headers].map(([name, text]) => `${name}: ${text}`);
  return `${method} /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${sent}`;
}

/** Sends a request with one of them, ends it, and returns the status; undefined if the connection was closed. */
async function statusOf(site: Served, text: string): Promise<number | undefined> {
  const wire = new Wire(site.port);
  wire.socket.write(Buffer.from(text, "latin1"));
  const status = () => /^HTTP\/1\.1 (\d{3}) /.exec(wire.text)?.[1];
  await until(() => wire.socket.destroyed || status() !== undefined, `an answer to ${JSON.stringify(text)}`);
  // A stream would not end.
  wire.socket.destroy();
  await wire.closed;
  return status() === undefined ? undefined : Number(status());
}

describe("arbitrary header bytes", () => {
  test("get a status below 500, and the next request is served", async () => {
    const site = await serve({ rate: false, limits: { streams: 1000 } });
    const seen = new Map<number | undefined, number>();
    const property = fc.asyncProperty(fc.array(shape, { minLength: IN_ONE, maxLength: IN_ONE }), async (shapes) => {
      const visitor = await site.open();
      const found = await Promise.all(shapes.map((one) => statusOf(site, toText(one, site, visitor.id))));
      for (const [at, status] of found.entries()) {
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(status ?? 0, JSON.stringify(shapes[at])).toBeLessThan(500);
      }
      const answer = await callModern(site, "echo", { text: "well" });
      expect(textOf((await answer.json()) as Message)).toBe("well");
    });
    await fc.assert(property, { seed: 20_260_728, numRuns: RUNS / IN_ONE, endOnFailure: true });
    for (const status of [200, 400, 403, 406, 415])
      expect(seen.get(status) ?? 0, `status ${status}`).toBeGreaterThan(0);
    expect(site.entries.filter(({ level }) => level === "error")).toEqual([]);
  }, 120_000);

  test("in an event id: an unknown one is rejected, and an existing stream continues", async () => {
    const site = await serve({ rate: false });
    const visitor = await site.open();
    const stream = await visitor.listen();
    await visitor.watch(1);
    site.change(1);
    const event = await stream.nextEvent();
    const property = fc.asyncProperty(value, async (id) => {
      const text = toText({ method: "GET", inSession: true, given: [["Last-Event-ID", id]] }, site, visitor.id);
      expect((await statusOf(site, text)) ?? 0).toBeLessThan(500);
    });
    await fc.assert(property, { seed: 20_260_728, numRuns: RUNS / 4, endOnFailure: true });
    expect(event?.id).toMatch(/-\d+$/);
    const again = await visitor.listen(event?.id);
    site.change(1);
    expect(await again.next()).toMatchObject({ method: "notifications/resources/updated" });
    expect(site.entries.filter(({ level }) => level === "error")).toEqual([]);
  }, 120_000);
});

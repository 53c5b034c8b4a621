import { describe, expect, test } from "vitest";
import { SLACK } from "../../../../tests/load/memory-allowance.js";
import { call, type Message, ping, textOf } from "../stdio/child.js";
import { cleanExit, type Faulty, openStdio, WAYS } from "./fault-server.js";

const MIB = 1024 * 1024;
const UNEXPECTED = /^The tool failed unexpectedly\. Reference: [0-9a-f]{8}$/;
const TOO_LARGE = /^The result has \d{8,9} bytes; the limit is 10485760\. Ask for less at once\.$/;

const HUGE = { stdio: ["huge", "huge_structure", "much_content"], HTTP: ["huge"] };

/** Checks that the tool that returns this fails, and the log has the reason. */
async function expectFailed({ call: callTool, child }: Faulty, kind: string, reason: string | RegExp): Promise<void> {
  expect([kind, textOf(await callTool(`return_${kind}`))]).toEqual([kind, expect.stringMatching(UNEXPECTED)]);
  const isLogged = (): boolean => {
    const logged = child.stderr.split(`"return_${kind}"`)[1] ?? "";
    return typeof reason === "string" ? logged.includes(reason) : reason.test(logged);
  };
  await child.until(isLogged, `${reason}`);
}

describe.each(WAYS)("over %s, a tool that returns", (way, open) => {
  test("a value that JSON cannot represent fails, and the log says why", async () => {
    const faulty = await open();
    const values: [string, string | RegExp][] = [
      // The messages of V8 and JavaScriptCore.
      ["circle", /Converting circular structure to JSON|JSON.stringify cannot serialize cyclic structures/],
      ["bigint", /Do not know how to serialize a BigInt|JSON.stringify cannot serialize BigInt/],
      ["trap", "a trap sprang"],
      ["getter", "a trap sprang"],
      ["function", "A tool cannot return a function"],
      ["symbol", "A tool cannot return a symbol"],
      ["error", "returned in place of thrown"],
      ["not_content", 'Content block 0 is invalid: {"type":"text"}'],
    ];
    for (const [kind, reason] of values) await expectFailed(faulty, kind, reason);
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("a value too deep for JSON fails, and the log says why", async () => {
    const faulty = await open();
    await expectFailed(faulty, "deep", "Maximum call stack size exceeded");
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("100 MB fails with its size and the limit", async () => {
    const faulty = await open();
    for (const kind of HUGE[way]) {
      const answer = await faulty.call(`return_${kind}`);
      expect([kind, textOf(answer)]).toEqual([kind, expect.stringMatching(TOO_LARGE)]);
      expect(answer).toMatchObject({ result: { isError: true, structuredContent: { code: "RESULT_TOO_LARGE" } } });
    }
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("a lone surrogate gets a valid JSON response", async () => {
    const faulty = await open();
    expect(textOf(await faulty.call("return_broken_text"))).toBe("\u{d800} alone");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("after changing its input and context does not affect the next call", async () => {
    const faulty = await open();
    for (let times = 0; times < 2; times += 1)
      expect(textOf(await faulty.call("mutate", { rows: [1, 2, 3] }))).toBe("changed");
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });
});

describe("a tool that reports a million progress steps at once", () => {
  const withToken = (id: unknown, name: string): Message => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, _meta: { progressToken: "p" } },
  });
  const isProgress = ({ method }: Message): boolean => method === "notifications/progress";

  test("sends one burst in rising order, and is answered", async () => {
    const { child, leave } = await openStdio();
    child.send(withToken(1, "million_steps"), ping(2));
    expect(textOf(await child.answer(1))).toBe("a million");
    await child.answer(2);
    expect(await leave()).toEqual(cleanExit);
    const values = child.messages.filter(isProgress).map(({ params }) => (params as { progress: number }).progress);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values.length).toBeGreaterThanOrEqual(100);
    // As many again may be sent each second.
    expect(values.length).toBeLessThan(10_000);
  });

  test("sends nothing to a client that does not ask for progress", async () => {
    const { child, leave } = await openStdio();
    child.send(call(1, "million_steps"));
    await child.answer(1);
    expect(await leave()).toEqual(cleanExit);
    expect(child.messages.filter(isProgress)).toEqual([]);
  });

  test("with invalid values sends only numbers", async () => {
    const { child, leave } = await openStdio();
    child.send(withToken(1, "odd_steps"));
    expect(textOf(await child.answer(1))).toBe("logged");
    expect(await leave()).toEqual(cleanExit);
    for (const { params } of child.messages.filter(isProgress))
      expect(typeof (params as { progress: unknown }).progress).toBe("number");
  });
});

test("rejected large results do not accumulate in memory", async () => {
  const { child, ...faulty } = await openStdio();
  const held: number[] = [];
  for (let times = 0; times < 12; times += 1) {
    await faulty.call("return_huge");
    const { structuredContent } = (await faulty.call("memory"))["result"] as { structuredContent: { now: number } };
    held.push(structuredContent.now);
  }
  // The runtime decides when garbage is collected.
  expect(Math.min(...held.slice(6))).toBeLessThan(600 * MIB * SLACK);
  expect(await faulty.leave()).toEqual(cleanExit);
  expect(child.unfinished).toBe("");
});

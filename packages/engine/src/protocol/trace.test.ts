import { describe, expect, test } from "vitest";
import { readTrace } from "./trace.js";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("a trace", () => {
  test("is read as it was sent", () => {
    const tracestate = "rojo=00f067aa0ba902b7,congo@vendor=t61rcWkgMzE";
    const baggage = "userId=alice,serverNode=DF%2028;secure; ttl = 5 , isProduction=false";
    expect(readTrace({ traceparent, tracestate, baggage, other: 1 })).toEqual({ traceparent, tracestate, baggage });
    expect(readTrace({ traceparent })).toEqual({ traceparent });
  });

  test.each([
    [undefined],
    [null],
    [7],
    [""],
    ["00"],
    [traceparent.toUpperCase()],
    [traceparent.slice(0, -1)],
    [`${traceparent}0`],
    [`${traceparent}-more`],
    [` ${traceparent}`],
    [`${traceparent}\n`],
    ["ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    ["00-00000000000000000000000000000000-b7ad6b7169203331-01"],
    ["00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"],
  ])("is none where its parent is %j", (parent) => {
    expect(readTrace({ ...(parent !== undefined && { traceparent: parent }), baggage: "a=b" })).toBeUndefined();
  });

  test("is none without metadata", () => {
    expect(readTrace(undefined)).toBeUndefined();
  });

  test("of a later version may say more, but not without end", () => {
    const later = traceparent.replace(/^00/, "cc");
    expect(readTrace({ traceparent: later })).toEqual({ traceparent: later });
    expect(readTrace({ traceparent: `${later}-what.comes` })).toEqual({ traceparent: `${later}-what.comes` });
    expect(readTrace({ traceparent: `${later}-${"x".repeat(1000)}` })).toBeUndefined();
    expect(readTrace({ traceparent: `${later}x` })).toBeUndefined();
  });

  test.each([[null], [7], [""], [","], ["a"], ["A=b"], ["a=b,a=c"], ["a=b=c"], ["a=é"], [`a=${"b".repeat(300)}`]])(
    "leaves out the state %j",
    (tracestate) => {
      expect(readTrace({ traceparent, tracestate })).toEqual({ traceparent });
    },
  );

  test("leaves out a state of more than 32 members", () => {
    const states = (count: number) => Array.from({ length: count }, (_, at) => `k${at}=v`).join(",");
    expect(readTrace({ traceparent, tracestate: states(32) })).toHaveProperty("tracestate");
    expect(readTrace({ traceparent, tracestate: states(33) })).not.toHaveProperty("tracestate");
  });

  test.each([
    [null],
    [7],
    [""],
    ["a"],
    ["a b=c"],
    ['a="b"'],
    ["a=b;"],
    ["a=b;c d"],
    ["a=é"],
    [`a=${"b".repeat(9000)}`],
  ])("leaves out the baggage %j", (baggage) => {
    expect(readTrace({ traceparent, baggage })).toEqual({ traceparent });
  });

  test("takes no time over hostile text", () => {
    const hostile = `a=${"b ;".repeat(2700)}`;
    expect(readTrace({ traceparent, baggage: hostile, tracestate: `a=${" ".repeat(9000)}` })).toEqual({ traceparent });
  });
});

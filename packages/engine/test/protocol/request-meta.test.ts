import { describe, expect, test } from "vitest";
import { readTraceContext } from "../../src/protocol/request-meta.js";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("readTraceContext", () => {
  test("returns valid values unchanged", () => {
    const tracestate = "rojo=00f067aa0ba902b7,congo@vendor=t61rcWkgMzE";
    const baggage = "userId=alice,serverNode=DF%2028;secure; ttl = 5 , isProduction=false";
    expect(readTraceContext({ traceparent, tracestate, baggage, other: 1 })).toEqual({
      traceparent,
      tracestate,
      baggage,
    });
    expect(readTraceContext({ traceparent })).toEqual({ traceparent });
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
  ])("returns undefined if traceparent is %j", (parent) => {
    expect(readTraceContext({ ...(parent !== undefined && { traceparent: parent }), baggage: "a=b" })).toBeUndefined();
  });

  test("returns undefined without _meta", () => {
    expect(readTraceContext(undefined)).toBeUndefined();
  });

  test("accepts more fields in later versions, up to a length", () => {
    const later = traceparent.replace(/^00/, "cc");
    expect(readTraceContext({ traceparent: later })).toEqual({ traceparent: later });
    expect(readTraceContext({ traceparent: `${later}-what.comes` })).toEqual({ traceparent: `${later}-what.comes` });
    expect(readTraceContext({ traceparent: `${later}-${"x".repeat(1000)}` })).toBeUndefined();
    expect(readTraceContext({ traceparent: `${later}x` })).toBeUndefined();
  });

  test.each([[null], [7], [""], [","], ["a"], ["=b"], ["a b=c"], ["a=é"], ["a=b\nc"], [`a=${"b".repeat(9000)}`]])(
    "ignores %j as tracestate and as baggage",
    (list) => {
      expect(readTraceContext({ traceparent, tracestate: list, baggage: list })).toEqual({ traceparent });
    },
  );
});

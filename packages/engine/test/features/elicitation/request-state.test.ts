import { afterEach, describe, expect, test, vi } from "vitest";
import { digest, RequestStateSigner } from "../../../src/server/features/elicitation/request-state.js";

const state = {
  round: 1,
  responses: { a: { request: "digest", response: { action: "decline" } } },
  requested: { b: "digest" },
  memoized: {},
};
const FORGED = "Invalid params: requestState is not one that this server made for this call";

afterEach(() => void vi.useRealTimers());

describe("RequestStateSigner", () => {
  test("verifies what it signed, for the same binding", () => {
    const seal = new RequestStateSigner("secret");
    expect(seal.verify(seal.sign(state, "call"), "call")).toEqual(state);
  });

  test("verifies state of every instance with the same secret, as a string or as bytes", () => {
    const sealed = new RequestStateSigner("secret").sign(state, "call");
    expect(new RequestStateSigner(new TextEncoder().encode("secret")).verify(sealed, "call")).toEqual(state);
  });

  test("rejects another binding, another secret and no secret", () => {
    const sealed = new RequestStateSigner("secret").sign(state, "call");
    expect(() => new RequestStateSigner("secret").verify(sealed, "other")).toThrow(FORGED);
    expect(() => new RequestStateSigner("guess").verify(sealed, "call")).toThrow(FORGED);
    expect(() => new RequestStateSigner().verify(sealed, "call")).toThrow(FORGED);
    expect(() => new RequestStateSigner().verify(new RequestStateSigner().sign(state, "call"), "call")).toThrow(FORGED);
  });

  test("uses a random key without a secret", () => {
    const seal = new RequestStateSigner();
    expect(seal.verify(seal.sign(state, "call"), "call")).toEqual(state);
  });

  test("separates the binding from the body", () => {
    const seal = new RequestStateSigner("secret");
    const [body = "", signature = ""] = seal.sign(state, "call").split(".");
    expect(() => seal.verify(`${body.slice(1)}.${signature}`, `call${body[0]}`)).toThrow(FORGED);
  });

  test.each(["", ".", "..", "a", "a.b", "a.b.c", "é.é", "=.="])("rejects %j", (sealed) => {
    expect(() => new RequestStateSigner("secret").verify(sealed, "call")).toThrow(FORGED);
  });

  test("rejects a change of any character", () => {
    const seal = new RequestStateSigner("secret");
    const sealed = seal.sign(state, "call");
    for (let at = 0; at < sealed.length - 1; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
      expect(() => seal.verify(changed, "call"), String(at)).toThrow(FORGED);
    }
  });

  test("rejects with -32602", () => {
    expect(() => new RequestStateSigner().verify("x", "call")).toThrow(expect.objectContaining({ code: -32602 }));
  });

  test("rejects state that is older than an hour", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const seal = new RequestStateSigner("secret");
    const sealed = seal.sign(state, "call");
    vi.setSystemTime(3_600_000);
    expect(seal.verify(sealed, "call")).toEqual(state);
    vi.setSystemTime(3_600_001);
    expect(() => seal.verify(sealed, "call")).toThrow(
      "Invalid params: requestState has expired; call again without it",
    );
  });
});

describe("digest", () => {
  test("is the same for any order of keys, at any depth", () => {
    expect(digest({ a: 1, b: { c: [1, { x: 1, y: 2 }], d: null } })).toBe(
      digest({ b: { d: null, c: [1, { y: 2, x: 1 }] }, a: 1 }),
    );
  });

  test("differs for different values", () => {
    const values = [
      {},
      [],
      null,
      "",
      0,
      false,
      "{}",
      "null",
      { a: 1 },
      { a: "1" },
      [["a", 1]],
      ["a", 1],
      { a: { a: 1 } },
      { a: [] },
      { a: {} },
      [1, 2],
      [2, 1],
      [12],
      { ab: 1 },
    ];
    const digests = new Set(values.map((value) => digest(value as never)));
    expect(digests.size).toBe(values.length);
  });

  test("includes keys such as __proto__", () => {
    const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":1,"1":2,"0":3}') as never;
    const reordered = JSON.parse('{"0":3,"constructor":1,"1":2,"__proto__":{"a":1}}') as never;
    expect(digest(hostile)).toBe(digest(reordered));
    expect(digest(hostile)).not.toBe(digest(JSON.parse('{"constructor":1,"1":2,"0":3}') as never));
  });

  test("is short and URL-safe", () => {
    expect(digest({ a: 1 })).toMatch(/^[\w-]{22}$/);
  });
});

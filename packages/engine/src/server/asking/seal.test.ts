import { afterEach, describe, expect, test, vi } from "vitest";
import { digest, Seal } from "./seal.js";

const state = { round: 1, answers: { a: { question: "q", answer: { action: "decline" } } }, asked: { b: "digest" } };
const FORGED = "Invalid params: requestState is not one that this server made for this call";

afterEach(() => void vi.useRealTimers());

describe("a seal", () => {
  test("opens what it closed, for the same binding", () => {
    const seal = new Seal("secret");
    expect(seal.open(seal.close(state, "call"), "call")).toEqual(state);
  });

  test("is the same in every instance that has its secret, as text or as bytes", () => {
    const sealed = new Seal("secret").close(state, "call");
    expect(new Seal(new TextEncoder().encode("secret")).open(sealed, "call")).toEqual(state);
  });

  test("refuses another binding, another secret and no secret", () => {
    const sealed = new Seal("secret").close(state, "call");
    expect(() => new Seal("secret").open(sealed, "other")).toThrow(FORGED);
    expect(() => new Seal("guess").open(sealed, "call")).toThrow(FORGED);
    expect(() => new Seal().open(sealed, "call")).toThrow(FORGED);
    expect(() => new Seal().open(new Seal().close(state, "call"), "call")).toThrow(FORGED);
  });

  test("is random where no secret is given, and holds within the instance", () => {
    const seal = new Seal();
    expect(seal.open(seal.close(state, "call"), "call")).toEqual(state);
  });

  test("does not let the binding and the body flow into each other", () => {
    const seal = new Seal("secret");
    const [body = "", signature = ""] = seal.close(state, "call").split(".");
    expect(() => seal.open(`${body.slice(1)}.${signature}`, `call${body[0]}`)).toThrow(FORGED);
  });

  test.each(["", ".", "..", "a", "a.b", "a.b.c", "é.é", "=.="])("refuses %j", (sealed) => {
    expect(() => new Seal("secret").open(sealed, "call")).toThrow(FORGED);
  });

  test("refuses every single changed character", () => {
    const seal = new Seal("secret");
    const sealed = seal.close(state, "call");
    for (let at = 0; at < sealed.length - 1; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
      expect(() => seal.open(changed, "call"), String(at)).toThrow(FORGED);
    }
  });

  test("refuses with -32602", () => {
    expect(() => new Seal().open("x", "call")).toThrow(expect.objectContaining({ code: -32602 }));
  });

  test("expires after an hour", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const seal = new Seal("secret");
    const sealed = seal.close(state, "call");
    vi.setSystemTime(3_600_000);
    expect(seal.open(sealed, "call")).toEqual(state);
    vi.setSystemTime(3_600_001);
    expect(() => seal.open(sealed, "call")).toThrow("Invalid params: requestState has expired; call again without it");
  });
});

describe("a digest", () => {
  test("is the same for any order of keys, at any depth", () => {
    expect(digest({ a: 1, b: { c: [1, { x: 1, y: 2 }], d: null } })).toBe(
      digest({ b: { d: null, c: [1, { y: 2, x: 1 }] }, a: 1 }),
    );
  });

  test("tells apart what is not the same", () => {
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

  test("sees keys that JavaScript treats in its own way", () => {
    const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":1,"1":2,"0":3}') as never;
    const reordered = JSON.parse('{"0":3,"constructor":1,"1":2,"__proto__":{"a":1}}') as never;
    expect(digest(hostile)).toBe(digest(reordered));
    expect(digest(hostile)).not.toBe(digest(JSON.parse('{"constructor":1,"1":2,"0":3}') as never));
  });

  test("is short and fit for a URL", () => {
    expect(digest({ a: 1 })).toMatch(/^[\w-]{22}$/);
  });
});

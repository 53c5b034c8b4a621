import { describe, expect, test } from "vitest";
import { tool } from "./tool.js";

const define = (definition: object) => () => tool({ name: "t", description: "d", run: () => "", ...definition });

describe("a tool", () => {
  test("is a frozen value that can be called", async () => {
    const add = tool({
      name: "add",
      description: "Adds.",
      input: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "number" } },
        required: ["a", "b"],
      },
      run: async ({ a, b }) => a + b,
    });
    expect(Object.isFrozen(add)).toBe(true);
    expect(await add.run({ a: 1, b: 2 }, undefined as never)).toBe(3);
  });

  test("keeps what it was given, and later changes of that do not reach it", () => {
    const definition = { name: "t", description: "d", title: "T", aliases: ["u"], run: () => "" };
    const made = tool(definition);
    definition.description = "changed";
    expect(made).toMatchObject({ name: "t", description: "d", title: "T", aliases: ["u"] });
  });

  test("refuses a member that nobody knows: another engine's word for the input would be passed over", () => {
    expect(define({ inputSchema: { type: "object" } })).toThrow(/^Cannot define tool "t": inputSchema is unknown; /);
    expect(define({ timeoutMS: 5 })).toThrow('Cannot define tool "t": timeoutMS is unknown; did you mean timeoutMs?');
  });

  test.each(["a", "A.b-c_d", "0", "n".repeat(128)])("may be called %s", (name) => {
    expect(define({ name })).not.toThrow();
  });

  test.each([[""], ["a b"], ["a/b"], ["é"], ["a\n"], ["n".repeat(129)], [7], [null], [undefined]])(
    "may not be called %j",
    (name) => {
      expect(define({ name })).toThrow(
        new TypeError(
          `Cannot define tool ${JSON.stringify(name)}: a name has 1 to 128 characters of A-Z a-z 0-9 _ - .`,
        ),
      );
    },
  );

  test.each([
    [{ description: "" }, "description is missing"],
    [{ description: undefined }, "description is missing"],
    [{ run: "later" }, "run is not a function"],
    [{ timeoutMs: 0 }, "timeoutMs must be a positive number"],
    [{ timeoutMs: -5 }, "timeoutMs must be a positive number"],
    [{ timeoutMs: Number.NaN }, "timeoutMs must be a positive number"],
    [{ timeoutMs: "300" }, "timeoutMs must be a positive number"],
    [{ aliases: "x" }, "aliases must be a list, and an alias must be a non-empty string"],
    [{ icons: [{ src: "http://example.com/i.png" }] }, "an icon's src must be an https: or data: URI"],
    [{ icons: [{ src: "javascript:alert(1)" }] }, "an icon's src must be an https: or data: URI"],
    [{ icons: [{ src: " https://example.com" }] }, "an icon's src must be an https: or data: URI"],
  ])("with %j is refused by name", (definition, reason) => {
    expect(define(definition)).toThrow(new TypeError(`Cannot define tool "t": ${reason}`));
  });

  test("with meta that JSON cannot write is refused: it would cost the whole list", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const meta of [{ a: 1n }, circular, [], "x"])
      expect(define({ meta })).toThrow(
        new TypeError('Cannot define tool "t": meta must be an object that JSON can write'),
      );
  });

  test.each(["https://example.com/i.png", "data:image/png;base64,AQID"])("may have the icon %s", (src) => {
    expect(define({ icons: [{ src }] })).not.toThrow();
  });
});

import { describe, expect, test } from "vitest";
import { tool } from "../../src/server/definitions/tool.js";

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

  test("is a copy: later changes of the definition have no effect", () => {
    const definition = { name: "t", description: "d", title: "T", aliases: ["u"], run: () => "" };
    const made = tool(definition);
    definition.description = "changed";
    expect(made).toMatchObject({ name: "t", description: "d", title: "T", aliases: ["u"] });
  });

  test("rejects unknown options, such as the name that another SDK uses for the input schema", () => {
    expect(define({ inputSchema: { type: "object" } })).toThrow(
      /^Cannot define tool "t": unknown option inputSchema; /,
    );
    expect(define({ timeoutMS: 5 })).toThrow(
      'Cannot define tool "t": unknown option timeoutMS; did you mean timeoutMs?',
    );
  });

  test.each(["a", "A.b-c_d", "0", "n".repeat(128)])("accepts the name %s", (name) => {
    expect(define({ name })).not.toThrow();
  });

  test.each([[""], ["a b"], ["a/b"], ["é"], ["a\n"], ["n".repeat(129)], [7], [null], [undefined]])(
    "rejects the name %j",
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
    [{ aliases: "x" }, "aliases must be an array of non-empty strings"],
    [{ icons: [{ src: "http://example.com/i.png" }] }, "icons[0].src must be an https: or data: URI"],
    [{ icons: [{ src: "javascript:alert(1)" }] }, "icons[0].src must be an https: or data: URI"],
    [{ icons: [{ src: " https://example.com" }] }, "icons[0].src must be an https: or data: URI"],
  ])("with %j is rejected by name", (definition, reason) => {
    expect(define(definition)).toThrow(new TypeError(`Cannot define tool "t": ${reason}`));
  });

  test("with meta that JSON cannot represent is rejected: the whole list would fail", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const meta of [{ a: 1n }, circular, [], "x"])
      expect(define({ meta })).toThrow(
        new TypeError('Cannot define tool "t": meta must be a JSON-serializable object'),
      );
  });

  test.each(["https://example.com/i.png", "data:image/png;base64,AQID"])("accepts the icon %s", (src) => {
    expect(define({ icons: [{ src }] })).not.toThrow();
  });
});

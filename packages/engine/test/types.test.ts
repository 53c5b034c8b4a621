import { describe, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { type Call, Content, content, createServer, pack, type Tool, text, tool } from "../src/index.js";
import type { Caller } from "../src/types.js";

const name = "typed";
const description = "Has types.";

/** Wrong uses stand in functions that are never called: the compiler alone judges them. */
const compiled = (_body: () => void): void => undefined;

describe("the input of run", () => {
  test("comes from a zod schema, with defaults filled in and transforms done", () => {
    const input = z.object({
      city: z.string(),
      days: z.number().default(3),
      unit: z.enum(["C", "F"]).optional(),
      length: z.string().transform((word) => word.length),
    });
    tool({
      name,
      description,
      input,
      run(given, call) {
        expectTypeOf(given).toEqualTypeOf<{
          city: string;
          days: number;
          unit?: "C" | "F" | undefined;
          length: number;
        }>();
        expectTypeOf(call).toEqualTypeOf<Call>();
        return "";
      },
    });
  });

  test("comes from a JSON Schema literal, without `as const`", () => {
    tool({
      name,
      description,
      input: {
        type: "object",
        properties: {
          city: { type: "string" },
          days: { type: "integer", default: 3 },
          unit: { enum: ["C", "F"] },
          tags: { type: "array", items: { type: "string" } },
        },
        required: ["city"],
      },
      run(given) {
        expectTypeOf(given.city).toEqualTypeOf<string>();
        expectTypeOf(given.days).toEqualTypeOf<number>();
        expectTypeOf(given.unit).toEqualTypeOf<"C" | "F" | undefined>();
        expectTypeOf(given.tags).toEqualTypeOf<string[] | undefined>();
        return given.city;
      },
    });
  });

  test("is unknown where there is no schema, or one that says little", () => {
    tool({ name, description, run: (given) => void expectTypeOf(given).toEqualTypeOf<unknown>() });
    const loose: { [keyword: string]: unknown } = { type: "object" };
    tool({ name, description, input: loose, run: (given) => void expectTypeOf(given).toEqualTypeOf<unknown>() });
  });

  test("cannot be used as what it is not", () => {
    compiled(() => {
      tool({
        name,
        description,
        input: z.object({ city: z.string() }),
        // @ts-expect-error there is no such argument
        run: ({ town }) => String(town),
      });
      tool({
        name,
        description,
        input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        // @ts-expect-error a number is no text
        run: ({ n }) => n.toUpperCase(),
      });
      // @ts-expect-error a schema is an object
      tool({ name, description, input: "string", run: () => "" });
    });
  });
});

describe("what run returns", () => {
  test("may be text, any JSON, blocks or nothing, now or later", () => {
    tool({ name, description, run: () => "text" });
    tool({ name, description, run: () => ({ n: 1 }) });
    tool({ name, description, run: () => [1, null, "x"] });
    tool({ name, description, run: () => null });
    tool({ name, description, run: () => content(text("words")) });
    tool({ name, description, run: () => undefined });
    tool({ name, description, run: () => undefined as void });
    tool({ name, description, run: async () => 7 });
    tool({ name, description, run: () => new Promise((resolve) => setTimeout(resolve, 0, "later")) });
    compiled(() => {
      // @ts-expect-error JSON has no symbols
      tool({ name, description, run: () => Symbol("x") });
    });
  });

  test("has the type of the output schema", () => {
    const count = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;
    tool({ name, description, output: count, run: () => ({ n: 1 }) });
    tool({ name, description, output: count, run: async () => ({ n: 1 }) });
    tool({ name, description, output: count, run: () => new Content([text("one")], { n: 1 }) });
    tool({ name, description, output: z.object({ n: z.number().default(3) }), run: () => ({}) });
    tool({ name, description, output: z.array(z.string()), run: () => ["a"] });
    compiled(() => {
      // @ts-expect-error text is no number
      tool({ name, description, output: count, run: () => ({ n: "1" }) });
      // @ts-expect-error a member is missing
      tool({ name, description, output: z.object({ n: z.number() }), run: async () => ({}) });
      // @ts-expect-error nothing is no object
      tool({ name, description, output: count, run: () => undefined });
    });
  });
});

describe("ask", () => {
  test("gives what the form describes, or undefined", () => {
    tool({
      name,
      description,
      async run(_input, call) {
        const zod = await call.elicit("zod", "Fill in.", z.object({ sure: z.boolean(), n: z.number().default(1) }));
        expectTypeOf(zod).toEqualTypeOf<{ sure: boolean; n: number } | undefined>();
        const json = await call.elicit("json", "Fill in.", {
          type: "object",
          properties: { plan: { enum: ["free", "paid"] } },
          required: ["plan"],
        });
        expectTypeOf<NonNullable<typeof json>["plan"]>().toEqualTypeOf<"free" | "paid">();
        return "";
      },
    });
  });

  test("cannot be called without a name, a message and a form, nor its answer used unread", () => {
    compiled(() => {
      tool({
        name,
        description,
        async run(_input, call) {
          // @ts-expect-error the form is missing
          await call.elicit("sure", "Sure?");
          // @ts-expect-error a form is a schema
          await call.elicit("sure", "Sure?", "boolean");
          const answer = await call.elicit("sure", "Sure?", z.object({ sure: z.boolean() }));
          // @ts-expect-error the person may have declined
          return answer.sure;
        },
      });
    });
  });
});

describe("a call", () => {
  test("knows its caller and no revision, transport or session", () => {
    expectTypeOf<Call["caller"]>().toEqualTypeOf<Caller>();
    expectTypeOf<Call["signal"]>().toEqualTypeOf<AbortSignal>();
    expectTypeOf<Call["principal"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<keyof Call>().toEqualTypeOf<
      | "caller"
      | "principal"
      | "scopes"
      | "http"
      | "signal"
      | "trace"
      | "progress"
      | "log"
      | "supports"
      | "elicit"
      | "elicitUrl"
      | "sample"
      | "roots"
    >();
  });

  test("logs at known levels only", () => {
    compiled(() => {
      tool({
        name,
        description,
        run(_input, call) {
          call.log("notice", { any: "JSON" }, "logger");
          // @ts-expect-error no such level
          call.log("loud", "x");
          // @ts-expect-error progress is a number
          call.progress("half");
          return "";
        },
      });
    });
  });
});

describe("a definition", () => {
  test("of any input is a tool", () => {
    const narrow = tool({ name, description, input: z.object({ n: z.number() }), run: ({ n }) => String(n) });
    const plain = tool({ name, description, run: () => "" });
    expectTypeOf<typeof narrow>().toExtend<Tool>();
    expectTypeOf<typeof plain>().toExtend<Tool>();
    expectTypeOf(createServer({ name: "s", version: "1", tools: [narrow] }).tools).toEqualTypeOf<readonly Tool[]>();
  });

  test("needs its members, and knows their kinds", () => {
    compiled(() => {
      // @ts-expect-error no description
      tool({ name, run: () => "" });
      // @ts-expect-error no run
      tool({ name, description });
      // @ts-expect-error hints are booleans
      tool({ name, description, annotations: { readOnlyHint: "yes" }, run: () => "" });
      // @ts-expect-error themes are light and dark
      tool({ name, description, icons: [{ src: "https://example.com/i.png", theme: "blue" }], run: () => "" });
      // @ts-expect-error sizes are a list
      tool({ name, description, icons: [{ src: "https://example.com/i.png", sizes: "48x48" }], run: () => "" });
      // @ts-expect-error refuse or allow
      tool({ name, description, unknownArguments: "drop", run: () => "" });
      // @ts-expect-error no such lifecycle
      createServer({ name: "s", version: "1", compat: { lifecycle: "lax" } });
      // @ts-expect-error no version
      createServer({ name: "s" });
    });
  });

  test("of a pack gives its settings their type", () => {
    pack({
      name: "files",
      settings: z.object({ root: z.string().default("."), depth: z.number().optional() }),
      open(settings) {
        expectTypeOf(settings).toEqualTypeOf<{ root: string; depth?: number | undefined }>();
        return { tools: [] };
      },
    });
    compiled(() => {
      // @ts-expect-error a pack brings tools
      pack({ name: "empty", open: () => ({ tools: "hello" }) });
    });
  });
});

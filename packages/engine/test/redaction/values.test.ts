import { createLogger, createServer, tool } from "@toolwright/engine";
import { createRedaction } from "@toolwright/engine/observability";
import type { LogLevel } from "@toolwright/engine/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";

const values = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{4,12}$/), { minLength: 1, maxLength: 4 });

/** Any value that contains secrets: as strings, inside strings, as names and numbers, in maps, sets and errors. */
function loaded(secrets: readonly string[]): fc.Arbitrary<unknown> {
  const secret = fc.constantFrom(...secrets);
  const words = fc
    .tuple(fc.string({ maxLength: 6 }), secret, fc.string({ maxLength: 6 }))
    .map((parts) => parts.join(""));
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: "small" },
      words,
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom(0, ...secrets.map(Number).filter(Number.isSafeInteger)),
      words.map((message) => new Error(message)),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(words, fc.string({ maxLength: 6 })), tie("value"), { maxKeys: 4 }),
      fc.array(tie("value"), { maxLength: 3 }).map((list) => new Set(list)),
      fc.array(fc.tuple(words, tie("value")), { maxLength: 3 }).map((pairs) => new Map(pairs)),
    ),
  })).value;
}

const cases = values.chain((secrets) => loaded(secrets).map((value) => ({ secrets, value })));
const survivor = (secrets: readonly string[], text: string) => secrets.find((secret) => text.includes(secret));

describe("a configured value", () => {
  test("is redacted in any value, and the result is valid JSON", () => {
    fc.assert(
      fc.property(cases, ({ secrets, value }) => {
        const json = createRedaction({ values: secrets }).json(value);
        expect(survivor(secrets, json)).toBeUndefined();
        expect(() => JSON.parse(json) as unknown).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });

  test("is redacted in any text", () => {
    const texts = values.chain((secrets) =>
      fc
        .array(fc.oneof(fc.constantFrom(...secrets), fc.string({ maxLength: 8 }), fc.constantFrom("token=", "Bearer ")))
        .map((parts) => ({ secrets, text: parts.join("") })),
    );
    fc.assert(
      fc.property(texts, ({ secrets, text }) => {
        expect(survivor(secrets, createRedaction({ values: secrets }).text(text))).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test("is redacted in text and JSON log lines", () => {
    const level: LogLevel = "error";
    const formats = ["text", "json"] as const;
    fc.assert(
      fc.property(cases, fc.constantFrom(...formats), ({ secrets, value }, format) => {
        const lines: string[] = [];
        const redaction = createRedaction({ values: secrets });
        const log = createLogger({ format, redaction, write: (line) => void lines.push(line) });
        const [secret = ""] = secrets;
        const error = new Error(`${secret} failed`, { cause: value });
        log({ level, message: `see ${secret}`, requestId: secret, tool: secret, principal: secret, error });
        expect(lines).toHaveLength(1);
        // The time of the line is not a secret.
        expect(survivor(secrets, (lines[0] ?? "").replace(/^\{"time":"[^"]*","level":"error",/, "{"))).toBeUndefined();
        // Every line but the first is indented.
        expect(
          (lines[0] ?? "")
            .split("\n")
            .slice(1)
            .every((line) => line.startsWith("    ")),
        ).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe("createServer({ redact })", () => {
  const chatty = tool({
    name: "chatty",
    description: "Logs.",
    run(_input, call) {
      call.log("info", { note: "card 4711-0815", iban: "DE00", nested: [new Map([["pin", "1"]])] });
      return "done";
    },
  });

  everyRevision("applies to log notifications", async (open) => {
    const redact = { names: ["IBAN", /^pin$/], values: ["4711-0815"] };
    const server = createServer({ name: "bank", version: "1.0.0", tools: [chatty], redact });
    const client = await open(server, { logLevel: "info" });
    await client.callTool("chatty");
    expect(client.received("notifications/message").map(({ params }) => params)).toEqual([
      {
        level: "info",
        data: { note: "card [redacted]", iban: "[redacted]", nested: [{ pin: "[redacted]" }] },
      },
    ]);
  });

  test("rejects invalid options", () => {
    const create = (redact: unknown) => () => createServer({ name: "bank", version: "1.0.0", redact: redact as never });
    expect(create({ value: ["abcd"] })).toThrow(
      new TypeError("Cannot create the server: unknown option redact.value; did you mean redact.values?"),
    );
    expect(create({ values: ["abc"] })).toThrow(
      new TypeError("Cannot create the server: redact.values must be strings of at least 4 characters"),
    );
    expect(create({ names: [""] })).toThrow(
      new TypeError("Cannot create the server: redact.names must be strings or patterns"),
    );
  });
});

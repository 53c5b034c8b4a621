import { initialize, modernMeta } from "./corpus.js";
import { spoil, spoilText } from "./mutate.js";
import type { Random } from "./random.js";

const call = (id: number, name: string, args: object, meta?: object): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args, ...(meta && { _meta: meta }) },
  });
const echo = call(1, "echo", { text: "é€𝄞" });
const latin = (text: string): string => Buffer.from(text).toString("latin1");

/** The bytes of a masked frame, as a client sends it. */
function frame(first: number, payload: string): string {
  const bytes = Buffer.from(payload);
  const length = bytes.length < 126 ? [0x80 | bytes.length] : [0xfe, bytes.length >> 8, bytes.length & 255];
  const masked = bytes.map((byte, at) => byte ^ ([1, 2, 3, 4][at & 3] ?? 0));
  return Buffer.from([first, ...length, 1, 2, 3, 4, ...masked]).toString("latin1");
}

const document = (schema: object, value: unknown): string => JSON.stringify({ schema, value });
const order = {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: { $ref: "#/$defs/item" },
      minItems: 1,
      uniqueItems: true,
      contains: { type: "object" },
    },
    kind: { enum: ["small", "large"] },
    note: { type: ["string", "null"], minLength: 1, default: "none" },
  },
  required: ["items"],
  additionalProperties: false,
  $defs: { item: { type: "object", properties: { sku: { type: "string" }, count: { type: "integer", minimum: 1 } } } },
};
const choice = {
  oneOf: [
    { type: "object", properties: { a: { const: 1 } }, required: ["a"] },
    { $ref: "#/definitions/b", unevaluatedProperties: false },
  ],
  definitions: { b: { anyOf: [{ type: "number", multipleOf: 0.5 }, { not: { type: "null" } }], $anchor: "b" } },
};
const draft07 = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "array",
  items: [{ type: "boolean" }, { if: { type: "string" }, else: { maximum: 5 } }],
  additionalItems: false,
  dependencies: { a: ["b"], c: { required: ["d"] } },
};
const dynamic = {
  $id: "https://example.com/tree",
  $dynamicAnchor: "node",
  type: "object",
  properties: { userName: { type: "string" }, children: { items: { $dynamicRef: "#node" }, prefixItems: [true] } },
  dependentRequired: { userName: ["children"] },
  propertyNames: { maxLength: 10 },
};

/** Valid and almost valid inputs of each target, to be mutated. */
export const SEEDS: Readonly<Record<string, readonly string[]>> = {
  framing: [
    `\u{2}${latin(`${echo}\r\n\n ${echo}\n`)}`,
    `\u{1}\u{ef}\u{bb}\u{bf}{"id":1,"method":"${"x".repeat(80)}"}\n{}`,
    `\u{2}{"jsonrpc":"2.0","method":"m","params":"${"y".repeat(1600)}","id":"last"}\n[1]\n`,
    "\u{0}\u{ff}\u{c0}\n\u{e2}\u{82}\u{ac}\n",
  ],
  codec: [
    echo,
    `[${echo},${call(2, "add", { a: 1 })}]`,
    '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
    '{"params":{"id":1},"\\u0069d":-98765432109876543210,"jsonrpc":"2.0","id" : 9007199254740993 ,"method":"x"}',
    '{"jsonrpc":"2.0","id":"a\\"]}","error":{"code":1,"message":"\\ud800"}}',
  ],
  schema: [
    document(order, { items: [{ sku: "a", count: "2" }], Kind: "SMALL" }),
    document(choice, { a: 1, b: [] }),
    document(draft07, [true, "x"]),
    document(dynamic, { user_name: "a", children: [{ children: "[]" }] }),
    document({ type: "object", properties: { n: { type: "number" }, toString: { type: "boolean" } } }, { n: "5" }),
  ],
  headers: [
    "application/json, text/event-stream\napplication/json\nlocalhost:1\nhttp://localhost:1\n2026-07-28\ntools/call\necho",
    "*/*;q=0.1,text/*\napplication/json; charset=utf-8\n[::1]:80\nnull\n2025-06-18\n\n=?base64?ZWNobw==?=",
  ],
  frames: [
    frame(0x81, "hello") + frame(0x89, "ping") + frame(0x81, "é".repeat(100)),
    frame(0x01, "in ") + frame(0x8a, "") + frame(0x80, "parts") + frame(0x82, "bytes"),
    frame(0x81, "x".repeat(1999)) + frame(0x88, "\u{3}è"),
  ],
  events: [
    ": hi\n\nevent: message\nid: a-1\nretry: 10\ndata: {}\n\ndata:one\rdata: two\r\n\r\n",
    "\u{feff}id\ndata\ndata: \n\nid: \0\ndata: x\n\n",
  ],
  conversation: [
    `1${echo}\n${call(2, "add", { a: "5", b: 6 })}\n${call(3, "ask", {})}`,
    `0${call(1, "order", { items: [{ sku: "a-1" }] }, modernMeta())}\n${call(2, "roots", {}, modernMeta())}`,
    `3[${echo},${call(2, "tell", {}, { progressToken: 1 })}]\n{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"uri":"bench://item/1?part=a"}}`,
    `2{"jsonrpc":"2.0","id":4,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"write"},"argument":{"name":"tone","value":"d"}}}\n${JSON.stringify(initialize(5, "2025-06-18"))}`,
  ],
};

/** Mutates an input slightly: a member of its JSON, a piece of its text, or a byte. */
export function change(random: Random, input: string, others: readonly string[]): string {
  switch (random.below(6)) {
    case 0:
    case 1:
      return changeJson(random, input) ?? spoilText(random, input);
    case 2: {
      const other = random.pick(others);
      return input.slice(0, random.below(input.length + 1)) + other.slice(random.below(other.length + 1));
    }
    case 3: {
      const at = random.below(input.length + 1);
      return `${input.slice(0, at)}${String.fromCharCode(random.below(256))}${input.slice(at + random.below(2))}`;
    }
    default:
      return spoilText(random, input);
  }
}

/** Mutates a member of the JSON on one of the lines; undefined if there is none. */
function changeJson(random: Random, input: string): string | undefined {
  const lines = input.split("\n");
  const at = random.below(lines.length);
  const line = lines[at] ?? "";
  const start = line.search(/[[{]/);
  if (start === -1) return undefined;
  try {
    const value = JSON.parse(line.slice(start)) as Parameters<typeof spoil>[1];
    spoil(random, value);
    lines[at] = line.slice(0, start) + JSON.stringify(value);
    return lines.join("\n");
  } catch {
    return undefined;
  }
}

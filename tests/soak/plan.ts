import type { Random } from "../fuzz/random.js";
import type { Check, Message } from "./request-tracker.js";

/** One request to send, and what its response has to be. */
export interface Plan {
  readonly method: string;
  readonly params: Message;
  readonly check: Check;
  /** Never ends on its own: must be cancelled. */
  readonly isEndless: boolean;
  /** The tool fails or misbehaves. */
  readonly misbehaves: boolean;
  /** The user's answer to an elicitation; undefined declines it. */
  readonly answer?: string | undefined;
}

type Kind = (text: string, random: Random) => Plan;

interface ToolResult {
  readonly content?: readonly { readonly text?: string }[];
  readonly isError?: boolean;
}

/** Expects a tool result. */
function result(isExpected: (text: string) => boolean, isError = false): Check {
  return ({ result: value, error }) => {
    if (error !== undefined) return "an error";
    const { content = [], isError: failed = false } = (value ?? {}) as ToolResult;
    if (failed !== isError) return isError ? "a failure was expected" : "a failure";
    return isExpected(content[0]?.text ?? "") ? undefined : "the answer of another request";
  };
}

function call(name: string, text: string, args: Message, check: Check, overrides: Partial<Plan> = {}): Plan {
  const params = { name, arguments: { text, ...args } };
  return { method: "tools/call", params, check, isEndless: false, misbehaves: false, ...overrides };
}

const same = (text: string): Check => result((found) => found === text);
const misbehaving = { misbehaves: true };

const echo: Kind = (text) => call("echo", text, {}, same(text));
const KINDS: readonly [weight: number, Kind][] = [
  [30, echo],
  [12, (text, random) => call("slow", text, { ms: random.below(60) }, same(text))],
  [10, (text, random) => call("steps", text, { count: 1 + random.below(6) }, same(text))],
  [
    6,
    (text) =>
      call(
        "fail",
        text,
        {},
        result((found) => found === text, true),
        misbehaving,
      ),
  ],
  // The message of an unexpected error appears only in the log.
  [
    6,
    (text) =>
      call(
        "crash",
        text,
        {},
        result((found) => found !== "" && !found.includes(text), true),
        misbehaving,
      ),
  ],
  [6, (text) => call("hang", text, {}, () => "an answer to what hangs", { isEndless: true, misbehaves: true })],
  [4, (text, random) => call("uncancellable", text, { ms: random.below(80) }, same(text), misbehaving)],
  [5, (text) => call("noisy", text, {}, same(text), misbehaving)],
  [4, (text, random) => large(text, 1000 + random.below(300_000))],
  [2, (text) => call("unknown", text, {}, expectError(-32602))],
  [
    2,
    (text) =>
      call(
        "slow",
        text,
        { ms: "soon" },
        result((found) => found.includes("ms"), true),
      ),
  ],
  [4, () => list()],
];
const ASK: Kind = (text, random) => {
  const answer = random.oneIn(4) ? undefined : `yes ${text}`;
  return call("ask", text, {}, same(`${text}: ${answer ?? "declined"}`), { answer });
};

function large(text: string, size: number): Plan {
  const isWhole = (found: string): boolean => found.length === size && found.startsWith(`${text}x`);
  return call("large", text, { size }, result(isWhole));
}

function list(): Plan {
  const check: Check = ({ result: value }) =>
    (value as { tools?: readonly unknown[] } | undefined)?.tools?.length === 10 ? undefined : "not the list of tools";
  return { method: "tools/list", params: {}, check, isEndless: false, misbehaves: false };
}

const expectError =
  (code: number): Check =>
  ({ error }) =>
    (error as { code?: number } | undefined)?.code === code ? undefined : `no refusal with ${code}`;

const TOTAL = KINDS.reduce((sum, [weight]) => sum + weight, 0);

/** Chooses the next request; `text` is unique to it. */
export function choosePlan(random: Random, text: string, supportsElicitation: boolean): Plan {
  if (supportsElicitation && random.oneIn(10)) return ASK(text, random);
  let left = random.below(TOTAL);
  for (const [weight, kind] of KINDS) {
    if (left < weight) return kind(text, random);
    left -= weight;
  }
  return echo(text, random);
}

/** The client's answer to an elicitation. */
export const reply = (answer: string | undefined): Message =>
  answer === undefined ? { action: "decline" } : { action: "accept", content: { said: answer } };

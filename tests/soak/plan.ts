import type { Dice } from "../fuzz/dice.js";
import type { Check, Message } from "./ledger.js";

/** One request to make, and what its answer has to be. */
export interface Plan {
  readonly method: string;
  readonly params: Message;
  readonly check: Check;
  /** Has no end of its own: it must be cancelled. */
  readonly isEndless: boolean;
  /** A tool goes wrong here, or does what it should not. */
  readonly isFault: boolean;
  /** What the person says who is asked; undefined = declines. */
  readonly said?: string | undefined;
}

type Kind = (text: string, dice: Dice) => Plan;

interface ToolResult {
  readonly content?: readonly { readonly text?: string }[];
  readonly isError?: boolean;
}

/** Expects the result of a tool. */
function result(isRight: (text: string) => boolean, isError = false): Check {
  return ({ result: given, error }) => {
    if (error !== undefined) return "an error";
    const { content = [], isError: failed = false } = (given ?? {}) as ToolResult;
    if (failed !== isError) return isError ? "a failure was expected" : "a failure";
    return isRight(content[0]?.text ?? "") ? undefined : "the answer of another request";
  };
}

function call(name: string, text: string, more: Message, check: Check, marks: Partial<Plan> = {}): Plan {
  const params = { name, arguments: { text, ...more } };
  return { method: "tools/call", params, check, isEndless: false, isFault: false, ...marks };
}

const same = (text: string): Check => result((found) => found === text);
const fault = { isFault: true };

const echo: Kind = (text) => call("echo", text, {}, same(text));
const KINDS: readonly [weight: number, Kind][] = [
  [30, echo],
  [12, (text, dice) => call("slow", text, { ms: dice.roll(60) }, same(text))],
  [10, (text, dice) => call("steps", text, { count: 1 + dice.roll(6) }, same(text))],
  [
    6,
    (text) =>
      call(
        "fail",
        text,
        {},
        result((found) => found === text, true),
        fault,
      ),
  ],
  // The words of an accident are for the log alone.
  [
    6,
    (text) =>
      call(
        "crash",
        text,
        {},
        result((found) => found !== "" && !found.includes(text), true),
        fault,
      ),
  ],
  [6, (text) => call("hang", text, {}, () => "an answer to what hangs", { isEndless: true, isFault: true })],
  [4, (text, dice) => call("deaf", text, { ms: dice.roll(80) }, same(text), fault)],
  [5, (text) => call("noisy", text, {}, same(text), fault)],
  [4, (text, dice) => large(text, 1000 + dice.roll(300_000))],
  [2, (text) => call("nobody", text, {}, refused(-32602))],
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
const ASK: Kind = (text, dice) => {
  const said = dice.oneIn(4) ? undefined : `yes ${text}`;
  return call("ask", text, {}, same(`${text}: ${said ?? "declined"}`), { said });
};

function large(text: string, size: number): Plan {
  const isWhole = (found: string): boolean => found.length === size && found.startsWith(`${text}x`);
  return call("large", text, { size }, result(isWhole));
}

function list(): Plan {
  const check: Check = ({ result: given }) =>
    (given as { tools?: readonly unknown[] } | undefined)?.tools?.length === 10 ? undefined : "not the list of tools";
  return { method: "tools/list", params: {}, check, isEndless: false, isFault: false };
}

const refused =
  (code: number): Check =>
  ({ error }) =>
    (error as { code?: number } | undefined)?.code === code ? undefined : `no refusal with ${code}`;

const TOTAL = KINDS.reduce((sum, [weight]) => sum + weight, 0);

/** Chooses what to ask for next; `text` is found in no other request. */
export function choosePlan(dice: Dice, text: string, canAsk: boolean): Plan {
  if (canAsk && dice.oneIn(10)) return ASK(text, dice);
  let left = dice.roll(TOTAL);
  for (const [weight, kind] of KINDS) {
    if (left < weight) return kind(text, dice);
    left -= weight;
  }
  return echo(text, dice);
}

/** What a client says to a question: the text of it says who asks. */
export const reply = (said: string | undefined): Message =>
  said === undefined ? { action: "decline" } : { action: "accept", content: { said } };

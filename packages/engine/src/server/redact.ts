import { type Blanks, RedactedJson } from "./redact-json.js";
import { withoutCredentials, withoutPairs } from "./redact-text.js";

/** What is secret besides that which is named like a secret. */
export interface RedactOptions {
  /** Further names of secrets: a text is a whole name, whatever its case, `-` and `_`; a pattern is looked for in the name. */
  readonly names?: readonly (string | RegExp)[];
  /** Texts that must never be seen, wherever they stand; each of four characters or more. */
  readonly values?: readonly string[];
}

/** Blanks secrets in whatever is written for people: logs, recordings, the audit log. It never throws. */
export interface Redaction {
  /** The JSON text of any value: members named like secrets say nothing, and neither do secrets inside of texts. */
  json(value: unknown): string;
  /** The same text without secrets: listed values, what looks like a credential, and pairs such as `token=…`. */
  text(text: string): string;
  /** The same text without the listed values alone. */
  values(text: string): string;
  /** Whether something of this name is a secret. */
  hides(name: string): boolean;
  /** What stands in the place of a secret. */
  readonly mark: string;
}

const SECRET =
  /token|secret|passw|passphrase|(?:^|[_.-])pass(?:$|[_.-])|pwd|cookie|credential|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|authorization|connection[_-]?string/i;
/** A number of tokens is what a model has used, and no secret. */
const COUNT = /tokens|token[_-]?count/i;
/** MCP's own name for the progress of a request, and what cuts text into tokens. */
const HARMLESS = /^progress[_-]?token$|tokeni[sz]/i;
/** A variable that only says where a secret is, or where the process runs. */
const WHEREABOUTS = /^(?:OLD)?PWD$|_(?:dir|domain|endpoint|file|name|path|ttl|type|uri|url)$/i;
/** Shorter values of the environment are words that stand everywhere, such as `true`. */
const SHORTEST_VARIABLE = 8;
const SHORTEST_VALUE = 4;
const LONGEST_NAME = 200;

/** Makes the one redaction of a server. Throws `TypeError` that names the option at fault. */
export function createRedaction({ names = [], values = [] }: RedactOptions = {}): Redaction {
  const further = names.map(toTest);
  for (const value of values) {
    if (typeof value !== "string" || value.length < SHORTEST_VALUE)
      throw new TypeError(`redact.values must be texts of ${SHORTEST_VALUE} characters or more`);
  }
  const isNamed = (name: string): boolean => {
    const end = name.slice(-LONGEST_NAME);
    return (SECRET.test(end) && !HARMLESS.test(end)) || further.some((test) => test(end));
  };
  let list: readonly string[] | undefined;
  let mark = "[redacted]";
  // At first use, because few servers write anything, and a program may still read its `.env` file when it makes the server.
  const listed = (): readonly string[] => {
    if (list !== undefined) return list;
    list = spellingsOf([...values, ...secretVariables(isNamed)]);
    if (list.some((value) => mark.includes(value))) mark = "***";
    return list;
  };
  const replaceValues = (text: string): string => {
    let rest = text;
    for (const value of listed()) if (rest.includes(value)) rest = rest.replaceAll(value, mark);
    // A mark may make, with what stands beside it, another value whole.
    return rest !== text && listed().some((value) => rest.includes(value)) ? mark : rest;
  };
  const hidesPair = (name: string, value: unknown): boolean => isNamed(name) && !isCount(name, value);
  const redactText = (text: string): string => {
    try {
      return replaceValues(withoutPairs(withoutCredentials(replaceValues(text), mark), hidesPair, mark));
    } catch {
      return mark;
    }
  };
  const blanks: Blanks = {
    get mark() {
      listed();
      return mark;
    },
    hides: hidesPair,
    text: redactText,
    values: replaceValues,
  };
  return Object.freeze({
    get mark() {
      return blanks.mark;
    },
    json(value: unknown) {
      return new RedactedJson(blanks).write(value, "") ?? "null";
    },
    text: redactText,
    values: replaceValues,
    hides: isNamed,
  });
}

function toTest(name: unknown): (given: string) => boolean {
  if (name instanceof RegExp) {
    // A pattern that remembers where it was would find every other name.
    const pattern = new RegExp(name.source, name.flags.replace(/[gy]/g, ""));
    return (given) => pattern.test(given);
  }
  if (typeof name !== "string" || name === "") throw new TypeError("redact.names must be names or patterns");
  const plain = plainName(name);
  return (given) => plainName(given) === plain;
}

const plainName = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

const isCount = (name: string, value: unknown): boolean =>
  COUNT.test(name) && (typeof value === "number" || (typeof value === "string" && /^\d{1,15}$/.test(value)));

function secretVariables(isNamed: (name: string) => boolean): string[] {
  return Object.entries(process.env).flatMap(([name, value = ""]) =>
    value.length >= SHORTEST_VARIABLE && isNamed(name) && !WHEREABOUTS.test(name) && !isCount(name, value)
      ? [value]
      : [],
  );
}

/** Each value as it stands, inside JSON and inside an address, longest first: one may be a part of another. */
function spellingsOf(values: readonly string[]): readonly string[] {
  const all = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), inAddress(value)]);
  return [...new Set(all)].sort((one, other) => other.length - one.length);
}

function inAddress(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half a character cannot stand in an address.
    return value;
  }
}

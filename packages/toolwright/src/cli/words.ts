import { UsageError } from "./usage-error.js";

/** What may follow an option on the command line. */
export interface OptionKind {
  /** What its value is, such as `a folder`; undefined = it has none. */
  readonly value?: string;
  /** The value may be left out. */
  readonly isBare?: true;
  /** It may be given several times. */
  readonly isList?: true;
}

/** The values that were given to each option; an option without a value has an empty one. */
export type Given<Name extends string> = Readonly<Partial<Record<Name, readonly string[]>>>;

/**
 * Reads the words after a command, as `--name value` or `--name=value`. Where there is a place for plain words, those that
 * belong to no option go there. Throws `UsageError`.
 */
export function readWords<Name extends string>(
  words: readonly string[],
  kinds: Readonly<Record<Name, OptionKind>>,
  plain?: string[],
): Given<Name> {
  const given: Partial<Record<Name, string[]>> = {};
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (plain && /^[^-]/.test(word)) {
      plain.push(word);
      continue;
    }
    const at = word.indexOf("=");
    const name = word.startsWith("--") && at !== -1 ? word.slice(0, at) : word;
    // Only the name is shown: the rest may be a secret that was meant for elsewhere.
    if (!isNameIn(name, kinds)) throw new UsageError(`"${name}" is unknown`);
    const kind = kinds[name];
    const values = (given[name] ??= []);
    values.push(name === word ? takeValue(name, kind, left) : readInline(name, kind, word.slice(at + 1)));
    if (values.length > 1 && !kind.isList) throw new UsageError(`${name} is given twice`);
  }
  return given;
}

function takeValue(name: string, { value, isBare }: OptionKind, left: string[]): string {
  if (value === undefined) return "";
  const [next = ""] = left;
  if (next !== "" && !next.startsWith("--")) {
    left.shift();
    return next;
  }
  if (isBare) return "";
  throw new UsageError(`${name} needs ${value}`);
}

function readInline(name: string, { value }: OptionKind, text: string): string {
  if (value === undefined) throw new UsageError(`${name} takes no value`);
  if (text === "") throw new UsageError(`${name} needs ${value}`);
  return text;
}

function isNameIn<Name extends string>(name: string, kinds: Readonly<Record<Name, unknown>>): name is Name {
  return Object.hasOwn(kinds, name);
}

import { nearest } from "../text/nearest.js";
import { UsageError } from "./errors.js";

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

/** Hears of what is wrong with the words. */
type OnFault = (fault: string) => void;

/**
 * Reads the words after a command, as `--name value` or `--name=value`. Where there is a place for plain words, those that
 * belong to no option go there. Throws `UsageError` at the first fault, unless somebody wants to hear all of them.
 */
export function readWords<Name extends string>(
  words: readonly string[],
  kinds: Readonly<Record<Name, OptionKind>>,
  plain?: string[],
  onFault: OnFault = refuse,
): Given<Name> {
  const given: Partial<Record<Name, string[]>> = {};
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (plain && /^(?:[^-]|-?$)/.test(word)) {
      plain.push(word);
      continue;
    }
    const at = word.indexOf("=");
    const name = word.startsWith("--") && at !== -1 ? word.slice(0, at) : word;
    if (!isNameIn(name, kinds)) {
      onFault(unknown(name, Object.keys(kinds)));
      // What follows is most likely its value.
      if (name === word && word.startsWith("--")) takeNext(left);
      continue;
    }
    const kind = kinds[name];
    const value = name === word ? takeValue(kind, left) : readInline(kind, word.slice(at + 1));
    if (value === undefined)
      onFault(kind.value === undefined ? `${name} takes no value` : `${name} needs ${kind.value}`);
    else if (given[name] === undefined) given[name] = [value];
    else if (kind.isList) given[name].push(value);
    else onFault(`${name} is given twice`);
  }
  return given;
}

function refuse(fault: string): never {
  throw new UsageError(fault);
}

/** Only the name is shown: the rest may be a secret that was meant for elsewhere. */
function unknown(name: string, known: readonly string[]): string {
  const meant = name.startsWith("--") ? nearest(name, known) : undefined;
  return meant === undefined ? `"${name}" is unknown` : `"${name}" is unknown; did you mean ${meant}?`;
}

/** Undefined where a value is missing. */
function takeValue({ value, isBare }: OptionKind, left: string[]): string | undefined {
  if (value === undefined) return "";
  return takeNext(left) ?? (isBare ? "" : undefined);
}

function takeNext(left: string[]): string | undefined {
  const [next = ""] = left;
  return next === "" || next.startsWith("--") ? undefined : left.shift();
}

/** Undefined where a value is missing, or one too many. */
function readInline({ value }: OptionKind, text: string): string | undefined {
  return value === undefined || text === "" ? undefined : text;
}

function isNameIn<Name extends string>(name: string, kinds: Readonly<Record<Name, unknown>>): name is Name {
  return Object.hasOwn(kinds, name);
}

import type { Json } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { calledIn, type Source } from "./config.js";
import type { Setting, Table } from "./setting.js";

/** A value that was given for a setting. */
export interface SettingValue {
  readonly key: string;
  readonly value: Json;
  readonly source: Source;
}

/** What was read in one place: what is right, and what is wrong in words. */
export interface SettingValues {
  readonly values: readonly SettingValue[];
  readonly faults: readonly string[];
}

/** Says what is wrong with a value; undefined where nothing is. */
export function problemOf({ key, value, source }: SettingValue, { kind, isSecret }: Setting): string | undefined {
  if (kind.accepts(value)) return undefined;
  const name = calledIn(key, source);
  if (isSecret) return `${name} must be ${kind.isList ? "a list, each of it " : ""}${kind.name}`;
  const shown = JSON.stringify(value);
  return `${name} ${kind.refusal?.(shown, value) ?? `must be ${kind.name}, not ${shown}`}`;
}

/** Takes apart what is right and what is wrong. */
export function checkValues(values: readonly SettingValue[], table: Table): SettingValues {
  const faults = values.map((one) => problemOf(one, table.get(one.key) as Setting));
  return {
    values: values.filter((_, at) => faults[at] === undefined),
    faults: faults.filter((fault) => fault !== undefined),
  };
}

/** The end of a refusal of a name: the one that is probably meant. */
export function hintFor(word: string, known: Iterable<string>): string {
  const meant = nearest(word, known);
  return meant === undefined ? "is unknown" : `is unknown; did you mean ${meant}?`;
}

import { checkRules } from "./check-rules.js";
import { checkShape } from "./check-shape.js";
import { checkTier } from "./check-tier.js";
import { ofWhole, type PartFault, type PatternFault, toPathText } from "./fault.js";
import type { ThreatPattern } from "./pattern.js";
import { FILE_SHAPE } from "./pattern-shape.js";
import { readText, type TextFault } from "./read-text.js";
import { type Place, type ReadYaml, readYaml } from "./read-yaml.js";

/** Whoever has more of them has something else in hand, and each has to be looked for. */
const MOST_FAULTS = 50;

/** A pattern, and what is wrong with it; with an error there is none. */
export interface ReadPattern {
  readonly pattern?: ThreatPattern;
  readonly faults: readonly PatternFault[];
  /** Finds the place of a fault that only other files can show: of the id, and of those of related patterns. */
  readonly locate: (fault: PartFault) => PatternFault;
}

/** Reads the file of a pattern, and checks everything that can be told from it alone. */
export async function readPattern(content: string | Uint8Array, file: string): Promise<ReadPattern> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { text, fault } = { text: undefined, ...readText(bytes) };
  if (text === undefined) return ended(file, fault === undefined ? [] : [fault]);
  const yaml = await readYaml(text);
  if (yaml.isBroken) return ended(file, yaml.faults);
  const place = (found: PartFault): PatternFault =>
    toFault(found, file, yaml.placeOf(found.path, found.isOfKey ?? false));
  const shaped = checkShape(yaml.value, FILE_SHAPE).slice(0, MOST_FAULTS);
  const written = yaml.faults.slice(0, MOST_FAULTS).map((one) => toTextFault(file, one));
  if (shaped.length > 0) return ended(file, [], inOrder([...written, ...shaped.map(place)]));
  const pattern = (yaml.value as unknown as { readonly threat_pattern: ThreatPattern }).threat_pattern;
  const more = [...nameFaults(pattern, file), ...checkRules(pattern), ...checkTier(pattern)];
  const faults = inOrder([...written, ...more.map(place)]);
  const locate = locatorOf(file, placesIn(pattern, yaml));
  return faults.some(({ severity }) => severity === "error") ? { faults, locate } : { pattern, faults, locate };
}

const ended = (file: string, found: readonly TextFault[], faults: readonly PatternFault[] = []): ReadPattern => ({
  faults: [...found.map((fault) => toTextFault(file, fault)), ...faults],
  locate: locatorOf(file, new Map()),
});

/** The places alone are kept: the tree of a file is many times as large as the file. */
const locatorOf = (file: string, places: ReadonlyMap<string, Place>): ReadPattern["locate"] => {
  const top = { line: 1, column: 1 };
  return (fault) => toFault(fault, file, places.get(toPathText(fault.path)) ?? top);
};

function placesIn({ related_patterns: related = [] }: ThreatPattern, yaml: ReadYaml): ReadonlyMap<string, Place> {
  const ids = related.map((_, at) => ["threat_pattern", "related_patterns", at, "id"]);
  return new Map([["threat_pattern", "id"], ...ids].map((path) => [toPathText(path), yaml.placeOf(path, false)]));
}

/** A file with the name of another pattern would be looked for in vain. */
function nameFaults({ id }: ThreatPattern, file: string): readonly PartFault[] {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  const stem = name.replace(/\.ya?ml$/, "");
  if (!/^TMKB-/i.test(stem) || stem === id) return [];
  return [
    {
      path: ["threat_pattern", "id"],
      severity: "warning",
      message: `is ${id}, and the file is called ${name}.`,
      next: `Call the file ${id}.yaml, or correct the id.`,
    },
  ];
}

const toTextFault = (file: string, { message, next, ...place }: TextFault): PatternFault => ({
  ...ofWhole(file, message, next),
  ...place,
});

const toFault = ({ path, severity, message, next }: PartFault, file: string, place: Place): PatternFault => ({
  file,
  ...place,
  path: toPathText(path),
  severity,
  message,
  next,
});

const inOrder = (faults: readonly PatternFault[]): readonly PatternFault[] =>
  [...faults].sort((a, b) => a.line - b.line || a.column - b.column);

import type { Redaction } from "@toolwright/engine/observability";

/** Environment variables that may be shown. */
export interface ShownEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly total: number;
  /** How many contain a secret. */
  readonly masked: number;
  /** How many did not fit. */
  readonly left_out: number;
}

/** Replaces a secret. */
const MASK = "****";

const SECRET_NAME =
  /TOKEN|KEY|SECRET|PASSW|PWD$|PASSPHRASE|CREDENTIAL|PRIVATE|AUTH|COOKIE|SESSION[_-]?ID|SIGNATURE|CONNECTION_?STRING|_DSN$|WEBHOOK/i;
/** The working directory of a shell, which is no password. */
const FOLDER = /^(?:OLD)?PWD$/i;

/** Shorter values, such as `true`, occur everywhere. */
const SHORTEST = 6;
const LONGEST_VALUE = 500;
const MOST_CHARACTERS = 24_000;

/** Masks secrets in environment variables: by name, by appearance, and the same values inside others. */
export function maskEnvironment(env: NodeJS.ProcessEnv, redaction: Redaction): ShownEnvironment {
  const all = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const isSecret = ([name, value]: readonly [string, string]): boolean =>
    isNamedSecret(name, redaction) || looksSecret(value);
  const secrets = all
    .filter((each) => each[1].length >= SHORTEST && isSecret(each))
    .map(([, value]) => value)
    .sort((one, other) => other.length - one.length);
  const shown: [name: string, value: string][] = [];
  let masked = 0;
  let room = MOST_CHARACTERS;
  for (const each of all.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const [name, value] = each;
    const safe = isSecret(each) ? MASK : without(redaction.text(value), secrets);
    if (safe !== value) masked += 1;
    const short = safe.length > LONGEST_VALUE ? `${safe.slice(0, LONGEST_VALUE)}…` : safe;
    room -= name.length + short.length;
    if (room >= 0) shown.push([name, short]);
  }
  return { variables: Object.fromEntries(shown), total: all.length, masked, left_out: all.length - shown.length };
}

/** Masks secrets in other named values, such as headers. */
export function maskValues(values: Readonly<Record<string, string>>, redaction: Redaction): Record<string, string> {
  const { variables } = maskEnvironment(values, redaction);
  return { ...variables };
}

const isNamedSecret = (name: string, redaction: Redaction): boolean =>
  !FOLDER.test(name) && (SECRET_NAME.test(name) || redaction.isSecretName(name));

/** A long hexadecimal number, or a random mix of letters and digits. */
const looksSecret = (value: string): boolean =>
  /^[\da-f]{32,}$/i.test(value) ||
  (/^[\w+/=~-]{24,}$/.test(value) &&
    /[A-Z]/.test(value) &&
    /[a-z]/.test(value) &&
    /\d\D+\d/.test(value) &&
    !value.startsWith("/"));

function without(text: string, secrets: readonly string[]): string {
  let rest = text;
  for (const secret of secrets) if (rest.includes(secret)) rest = rest.replaceAll(secret, MASK);
  return rest;
}

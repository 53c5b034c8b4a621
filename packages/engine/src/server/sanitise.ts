import { homedir, tmpdir } from "node:os";
import { keptError, RpcError } from "../jsonrpc/errors.js";
import type { Json, JsonObject } from "../jsonrpc/json.js";
import { ToolError } from "../protocol/outcome.js";
import type { Redaction } from "./redact.js";
import { withoutCredentials } from "./redact-text.js";
import { createHostPaths, type HostPaths, withoutPaths } from "./sanitise-paths.js";
import { withoutSql } from "./sanitise-sql.js";
import { withoutStacks } from "./sanitise-stack.js";

/** What must not be seen from outside: the machine that a server runs on, and its secrets. */
export interface Inwards {
  /** Folders of the host that no client needs to know of. */
  readonly folders: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly redaction: Redaction;
}

/** Whether the client has sent this piece of text itself. */
type IsSaid = (piece: string) => boolean;

/** More than any model reads; what comes after it is cut before it costs time. */
const LONGEST = 65_536;

/** How many characters of a request are looked through for one failure: a long one with many paths must not take long. */
const MOST_COMPARED = 50_000_000;

/** A text that is still not at rest after so many passes was made for it. */
const MOST_PASSES = 6;

/** What is left of a text that was nothing but what may not leave. */
const NOTHING_LEFT = "The details are in the server's log.";

/**
 * A text as it may leave the server: without stacks, paths of the host, SQL, variables of the environment and secrets. What
 * the client itself has said is no news to it, and stays, unless it is a secret.
 */
export function sanitise(text: string, isSaid: IsSaid, inwards: Inwards): string {
  const paths = hostPathsOf(inwards.folders);
  let rest = cut(clean(text, inwards.redaction));
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = rest;
    rest = withoutStacks(rest, isSaid);
    rest = withoutVariables(rest, inwards);
    rest = withoutSql(rest, isSaid);
    rest = withoutPaths(rest, paths, isSaid);
    rest = cut(clean(rest, inwards.redaction));
    if (rest === before) return rest.trim() === "" && text.trim() !== "" ? NOTHING_LEFT : rest;
  }
  return NOTHING_LEFT;
}

let lastKey = "";
let lastPaths: HostPaths | undefined;

/** The working folder may change, but seldom does. */
function hostPathsOf(folders: readonly string[]): HostPaths {
  const key = folders.join("\n");
  if (lastPaths === undefined || key !== lastKey) {
    lastPaths = createHostPaths(folders);
    lastKey = key;
  }
  return lastPaths;
}

const clean = (text: string, redaction: Redaction): string =>
  redaction.values(withoutCredentials(redaction.values(text), redaction.mark));

const cut = (text: string): string => (text.length <= LONGEST + 1 ? text : `${text.slice(0, LONGEST)}…`);

/** Sanitises each text in a value, and blanks members that are named like secrets. */
function sanitiseJson(value: Json, isSaid: IsSaid, inwards: Inwards): Json {
  if (typeof value === "string") return sanitise(value, isSaid, inwards);
  if (Array.isArray(value)) return value.map((one) => sanitiseJson(one, isSaid, inwards));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    const isSecret = typeof member === "string" && inwards.redaction.hides(name) && !isSaid(member);
    return [inwards.redaction.values(name), isSecret ? inwards.redaction.mark : sanitiseJson(member, isSaid, inwards)];
  });
  return Object.fromEntries(members);
}

const VARIABLE = /(?<!\w)([A-Za-z_]\w*)=(?!\s)/g;
const WORD = /"[^"\n]*"|'[^'\n]*'|[^\s"',;&)}\]]+/y;

/** Blanks `NAME=value` where that is the environment of the server, or a variable that is named like a secret. */
function withoutVariables(text: string, { environment, redaction }: Inwards): string {
  if (!text.includes("=")) return text;
  let written = "";
  let done = 0;
  for (const { 0: start, 1: name = "", index } of text.matchAll(VARIABLE)) {
    const from = index + start.length;
    if (index < done || text.startsWith(redaction.mark, from)) continue;
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    let end = value !== undefined && value !== "" && text.startsWith(value, from) ? from + value.length : from;
    if (end === from && (value !== undefined || /^[A-Z][A-Z0-9_]*$/.test(name)) && redaction.hides(name)) {
      WORD.lastIndex = from;
      end += WORD.exec(text)?.[0].length ?? 0;
    }
    if (end === from) continue;
    written += text.slice(done, from) + redaction.mark;
    done = end;
  }
  return written + text.slice(done);
}

/** Tells what stands in something that the client has sent, as it is or as an address spells it. */
export function createIsSaid(said: unknown): IsSaid {
  let left = MOST_COMPARED;
  const holds = (value: unknown, piece: string): boolean => {
    if (typeof value === "string") {
      left -= value.length;
      if (left < 0) return false;
      return value.includes(piece) || (value.includes("%") && decoded(value).includes(piece));
    }
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(value).some(([name, member]) => name.includes(piece) || holds(member, piece));
  };
  return (piece) => piece !== "" && left > 0 && holds(said, piece);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A failure in words that may leave the server; the failure itself where nothing had to change. */
export function sanitiseFailure(
  failure: RpcError | ToolError,
  said: unknown,
  redaction: Redaction,
): RpcError | ToolError {
  const inwards = inwardsOf(redaction);
  const given = textOf(failure.message);
  const isKnown = createIsSaid(said);
  const paths = failure instanceof ToolError ? failure.paths : [];
  const isSaid: IsSaid = (piece) => isBelow(piece, paths) || isKnown(piece);
  const message = sanitise(given, isSaid, inwards);
  const members = failure instanceof RpcError ? failure.data : failure.details;
  const plain = plainOf(members);
  const told = plain && (sanitiseJson(plain, isSaid, inwards) as JsonObject);
  if (message === given && JSON.stringify(told) === JSON.stringify(plain)) return failure;
  // What JSON cannot write is refused by whoever writes the answer.
  const kept = told ?? members;
  if (failure instanceof RpcError)
    return keptError({ code: failure.code, message, ...(kept !== undefined && { data: kept }) });
  const { code } = failure;
  return new ToolError(message, {
    ...(code !== undefined && { code }),
    ...(kept !== undefined && { details: kept }),
    cause: failure,
  });
}

/** A path may stand at the end of a sentence. */
const isBelow = (piece: string, folders: readonly string[]): boolean =>
  folders.some((folder) => piece.startsWith(folder) && /^(?:[\\/.]|$)/.test(piece.slice(folder.length)));

/** Texts in words that may leave the server. */
export function sanitiseTexts(texts: readonly string[], said: unknown, redaction: Redaction): readonly string[] {
  const inwards = inwardsOf(redaction);
  const isSaid = createIsSaid(said);
  return texts.map((text) => sanitise(text, isSaid, inwards));
}

const inwardsOf = (redaction: Redaction): Inwards => ({
  folders: [...workingFolder(), homedir(), tmpdir()],
  environment: process.env,
  redaction,
});

/** None where it has been removed. */
function workingFolder(): readonly string[] {
  try {
    return [process.cwd()];
  } catch {
    return [];
  }
}

/** Some code puts other things than text into `message`. */
const textOf = (message: unknown): string =>
  typeof message === "string" ? message : (JSON.stringify(message) ?? String(message));

/** The members as JSON has them; undefined where it cannot write them, which is told by whoever writes the answer. */
function plainOf(members: JsonObject | undefined): JsonObject | undefined {
  try {
    return members === undefined ? undefined : (JSON.parse(JSON.stringify(members)) as JsonObject);
  } catch {
    return undefined;
  }
}

import type { Found, Step, Stretch } from "./uri-template-steps.js";

const PERCENT = 37;

/** No way from here to the end of the URI. */
const NONE = -1;

/**
 * What the variables of a template stand for in this URI, or undefined where the URI is none of its expansions.
 *
 * Works from the last step back to the first: for every position it notes how far the step would reach so that all later steps
 * fit too. So each step looks at each position a fixed number of times, whatever the URI; nothing is tried again.
 */
export function matchSteps(steps: readonly Step[], uri: string): Found | undefined {
  const [first] = steps;
  // Most URIs belong to another template.
  if (typeof first === "string" && !uri.startsWith(first)) return undefined;
  const reaches: Int32Array[] = [];
  reaches[steps.length] = new Int32Array(uri.length + 1).fill(NONE);
  (reaches[steps.length] as Int32Array)[uri.length] = uri.length;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index] as Step;
    const next = reaches[index + 1] as Int32Array;
    if (typeof step === "string") reaches[index] = reachLiteral(step, uri, next);
    else reaches[index] = reachStretch(step, uri, next, reaches[step.otherwise ?? steps.length + 1]);
  }
  return readAlong(steps, uri, reaches);
}

function readAlong(steps: readonly Step[], uri: string, reaches: readonly Int32Array[]): Found | undefined {
  if (reaches[0]?.[0] === NONE) return undefined;
  const found: Found[number][] = [];
  let at = 0;
  for (let index = 0; index < steps.length; ) {
    const step = steps[index] as Step;
    const end = reaches[index]?.[at] as number;
    if (typeof step !== "string" && end === at) {
      index = step.otherwise as number;
      continue;
    }
    if (typeof step !== "string") {
      const values = step.read(uri.slice(at + step.first.length, end));
      if (values === undefined) return undefined;
      found.push(...values);
    }
    at = end;
    index += 1;
  }
  return found;
}

function reachLiteral(literal: string, uri: string, next: Int32Array): Int32Array {
  const reach = new Int32Array(uri.length + 1).fill(NONE);
  for (let at = uri.length - literal.length; at >= 0; at -= 1) {
    const end = at + literal.length;
    if (next[end] !== NONE && !isInsideEscape(uri, at) && uri.startsWith(literal, at)) reach[at] = end;
  }
  return reach;
}

/** Takes as much as it can; a stretch that is absent reaches the position itself. */
function reachStretch(step: Stretch, uri: string, next: Int32Array, otherwise: Int32Array | undefined): Int32Array {
  const reach = new Int32Array(uri.length + 1).fill(NONE);
  const before = lastGood(next);
  const farthest = step.most === undefined ? undefined : toFarthest(uri, step.most);
  let end = uri.length;
  let endBehind = uri.length;
  for (let at = uri.length; at >= 0; at -= 1) {
    endBehind = end;
    if (step.allowed[uri.charCodeAt(at)] !== 1) end = at;
    const start = at + step.first.length;
    const hasFirst = step.first === "" || uri.startsWith(step.first, at);
    const run = step.first === "" ? end : endBehind;
    const last = hasFirst ? (before[Math.min(run, farthest?.[start] ?? run)] as number) : NONE;
    if (last > start) reach[at] = last;
    else if (otherwise !== undefined && otherwise[at] !== NONE) reach[at] = at;
  }
  return reach;
}

/** For every position the last one up to it from which the later steps fit. */
function lastGood(next: Int32Array): Int32Array {
  let last = NONE;
  return next.map((reach, at) => {
    if (reach !== NONE) last = at;
    return last;
  });
}

/** For every position the last one with at most so many decoded characters between. */
function toFarthest(uri: string, most: number): Int32Array {
  const farthest = new Int32Array(uri.length + 1);
  let end = 0;
  let characters = 0;
  for (let at = 0; at <= uri.length; at += 1) {
    while (end < uri.length && (characters < most || !beginsCharacter(uri, end))) {
      if (beginsCharacter(uri, end)) characters += 1;
      end += 1;
    }
    farthest[at] = end;
    if (beginsCharacter(uri, at)) characters -= 1;
  }
  return farthest;
}

/** Not in the middle of a percent-encoding, and not at a byte that continues a UTF-8 character (80 to BF). */
function beginsCharacter(uri: string, at: number): boolean {
  if (isInsideEscape(uri, at)) return false;
  return uri.charCodeAt(at) !== PERCENT || !"89ABab".includes(uri.charAt(at + 1));
}

function isInsideEscape(uri: string, at: number): boolean {
  return uri.charCodeAt(at - 1) === PERCENT || uri.charCodeAt(at - 2) === PERCENT;
}

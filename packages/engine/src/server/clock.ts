/**
 * Milliseconds by a clock that nobody can set. Not `performance.now()`: whoever asks for that first loads eleven of Node's modules, a
 * thirtieth of a start.
 */
export function monotonic(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1000 + nanos / 1e6;
}

/** When that clock was at zero, in milliseconds since 1970. */
export const CLOCK_ORIGIN = Date.now() - monotonic();

let time = 0;
let isFresh = false;
/** Its `then` costs a fraction of `queueMicrotask`, which has to make itself known to whoever follows what is asynchronous. */
const SETTLED = Promise.resolve();

function age(): void {
  isFresh = false;
}

/** Looks at the clock. */
export function lookAtClock(): number {
  time = monotonic();
  if (!isFresh) {
    isFresh = true;
    void SETTLED.then(age);
  }
  return time;
}

/**
 * The time of what happens in this turn, for those who only note it: as somebody has last seen it in the same run of code. A look
 * at the clock costs as much as all that is noted with it, and messages come many at a time.
 */
export function currentTime(): number {
  return isFresh ? time : lookAtClock();
}

let time = 0;
let isFresh = false;

function age(): void {
  isFresh = false;
}

/** Looks at the clock. */
export function lookAtClock(): number {
  time = performance.now();
  if (!isFresh) {
    isFresh = true;
    queueMicrotask(age);
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

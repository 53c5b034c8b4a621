// Replaces the clock of this process, so that a test can set it.
const RealDate = Date;
let offset = 0;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }

  static now() {
    return RealDate.now() + offset;
  }
};

/** Sets the clock this many hours ahead of the real time, or behind it. */
export function setClock(hours) {
  offset = hours * 3_600_000;
}

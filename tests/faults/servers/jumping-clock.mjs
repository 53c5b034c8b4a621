// The clock of this process, which can be set by hours, back and forth, while everything runs.
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

/** Sets the clock so many hours ahead of the true time, or behind it. */
export function setClock(hours) {
  offset = hours * 3_600_000;
}

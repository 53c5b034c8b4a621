// Shifts the wall clock of a process by the milliseconds in the file CLOCK_FILE, also while it runs.
import { readFileSync } from "node:fs";

const RealDate = Date;
let offset = 0;

function readOffset() {
  offset = Number(readFileSync(process.env["CLOCK_FILE"], "utf8"));
}

readOffset();
setInterval(readOffset, 20).unref();
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offset);
    else super(...args);
  }

  static now() {
    return RealDate.now() + offset;
  }
};

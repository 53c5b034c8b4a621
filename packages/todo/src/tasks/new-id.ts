import { randomBytes } from "node:crypto";

/** Digits and letters in their order as text, without those that look alike. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new id: ids that are made later sort later, and no two are the same. */
export function newTaskId(now: Date): string {
  let moment = now.getTime();
  let time = "";
  for (let place = 0; place < 10; place++) {
    time = `${LETTERS[moment % 32]}${time}`;
    moment = Math.floor(moment / 32);
  }
  return `task_${time}${[...randomBytes(10)].map((byte) => LETTERS[byte % 32]).join("")}`;
}

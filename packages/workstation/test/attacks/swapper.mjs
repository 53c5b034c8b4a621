// Swaps a folder with a link to another one, as fast as it can, until it is told to stop: swapper.mjs FOLDER TARGET
import { renameSync, symlinkSync, unlinkSync } from "node:fs";

const [folder, target] = process.argv.slice(2);
const aside = `${folder}.aside`;
let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();

/** How long it rests after many swaps, in ms: what is attacked must get through at times. */
const RESTS = [0, 0, 0, 5, 0, 0, 20, 0, 0, 250];
const SWAPS = 300;

/** Leaves the folder in its place. */
function swap() {
  try {
    renameSync(folder, aside);
    symlinkSync(target, folder);
    unlinkSync(folder);
    renameSync(aside, folder);
  } catch {
    // The one who is attacked may have moved the folder or put something in its place: it is put back, and it goes on.
    putBack();
  }
}

function putBack() {
  try {
    renameSync(aside, folder);
  } catch {
    // It is in its place.
  }
}

process.stdout.write("ready\n");
let rounds = 0;
const go = () => {
  for (let at = 0; at < SWAPS; at++) swap();
  rounds += 1;
  if (isOver) process.stdout.write(`${rounds * SWAPS}\n`);
  else setTimeout(go, RESTS[rounds % RESTS.length]);
};
go();

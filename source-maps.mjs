// Source maps of what is built: made to fit after an edit, and moved to a package of their own, because they are larger than the code.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** The bit of a digit that says that more follow. */
const MORE = 32;

/** Makes the map of a file fit after an edit before all that it maps: `length` is that of the text that was there, all of it edited. */
export function fitMap(file, before, after, length) {
  const map = JSON.parse(readFileSync(file, "utf8"));
  const [, lines, digits, rest] = /^(;*)([A-Za-z\d+/]*)([^]*)$/.exec(map.mappings);
  // A file that only passes on what others have maps nothing.
  if (digits === "") return;
  // The first number of the first place is its column; a digit without `MORE` ends it.
  const end = [...digits].findIndex((digit) => DIGITS.indexOf(digit) < MORE) + 1;
  const at = offsetOf(before, lines.length, toColumn(digits.slice(0, end)));
  if (at < length) throw new Error(`Cannot fit the map ${file}: it begins before the end of the edit`);
  const lead = after.slice(0, at + after.length - before.length).split("\n");
  map.mappings = `${";".repeat(lead.length - 1)}${toDigits(lead.at(-1).length)}${digits.slice(end)}${rest}`;
  writeFileSync(file, JSON.stringify(map));
}

function offsetOf(text, line, column) {
  const before = text.split("\n").slice(0, line);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column;
}

/** The lowest bit is the sign, and no column is below 0. */
const toColumn = (digits) =>
  [...digits].reduce((sum, digit, at) => sum + (DIGITS.indexOf(digit) % MORE) * MORE ** at, 0) / 2;

function toDigits(column) {
  let rest = column * 2;
  let digits = "";
  for (; rest >= MORE; rest = Math.floor(rest / MORE)) digits += DIGITS[(rest % MORE) + MORE];
  return digits + DIGITS[rest];
}

/**
 * Moves the maps of the engine's files from their folder to that of the package for maps, which stands beside the engine wherever both
 * are installed. There they have numbers for names, because the engine has to be small.
 */
export function moveMaps(root, from, to) {
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from).filter((name) => name.endsWith(".js.map"));
  for (const [number, name] of names.sort().entries()) {
    const map = JSON.parse(readFileSync(path.join(from, name), "utf8"));
    rmSync(path.join(from, name));
    const code = path.basename(name, ".map");
    const text = readFileSync(path.join(from, code), "utf8").replace(LINK, "");
    // A file that only passes on what others have maps nothing, and in a few lines nobody gets lost.
    const isMapped = map.mappings !== "" && text.length > SHORT;
    writeFileSync(
      path.join(from, code),
      isMapped ? `${text}//# sourceMappingURL=../../engine-maps/dist/${number}.map\n` : text,
    );
    const sources = map.sources.map((source) => installed(path.relative(root, path.resolve(from, source))));
    if (isMapped) writeFileSync(path.join(to, `${number}.map`), JSON.stringify({ ...map, file: code, sources }));
  }
}

/** The way from an installed map to where a file of the repository would be installed; the map brings its text. */
const installed = (file) => file.replace(/^packages\//, "../../").replace(/^node_modules\//, "../../../");

/** Files up to this many characters have no map. */
const SHORT = 1000;

/** The line that leads from a file to its map. */
const LINK = /\/\/# sourceMappingURL=\S+\n?$/;

import { ToolError } from "@toolwright/engine";
import { showCommand } from "./show-command.js";

/** One allowed command: a pattern for each argument, and maybe a last `**`. */
type Entry = readonly string[];

/** Whether a command is one that an entry allows. A program that is given as a path needs an entry that names this very path. */
export function isAllowed(entry: Entry, argv: readonly string[]): boolean {
  const fixed = fixedWords(entry);
  const isLongEnough = fixed.length < entry.length ? argv.length >= fixed.length : argv.length === fixed.length;
  return isLongEnough && countFitting(fixed, argv) === fixed.length;
}

const fixedWords = (entry: Entry): Entry => (entry.length > 1 && entry.at(-1) === "**" ? entry.slice(0, -1) : entry);

/** How many of the first arguments fit. */
function countFitting(fixed: Entry, argv: readonly string[]): number {
  const wrong = fixed.findIndex((pattern, at) => !fits(pattern, argv[at], at === 0));
  return wrong < 0 ? fixed.length : wrong;
}

function fits(pattern: string, word: string | undefined, isProgram: boolean): boolean {
  if (word === undefined) return false;
  // A bare name is looked up on the PATH; a path could lead to anything, so no star stands for a part of one.
  if (isProgram && /[\\/]/.test(pattern + word)) return pattern === word;
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === word;
  let at = first.length;
  for (const part of rest) {
    const found = word.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return word.startsWith(first) && word.endsWith(last) && word.length - last.length >= at;
}

/** Throws unless an entry of a setting allows the command; the error names the entry that comes nearest and what to add. */
export function rejectUnlisted(
  setting: string,
  entries: readonly Entry[],
  argv: readonly string[],
  shellWords: readonly string[],
): void {
  if (entries.some((entry) => isAllowed(entry, argv))) return;
  const nearest = entries
    .map((entry) => ({ entry, fitting: countFitting(fixedWords(entry), argv) }))
    .filter(({ fitting }) => fitting > 0)
    .sort((a, b) => b.fitting - a.fitting)[0]?.entry;
  const addition = `${setting}: [${JSON.stringify(argv)}]`;
  const shell =
    shellWords.length === 0
      ? ""
      : ` There is no shell: ${shellWords.slice(0, 5).join(" ")} would be plain text. Run one program at a time.`;
  throw new ToolError(
    `Cannot run ${showCommand(argv).slice(0, 300)}: no entry of ${setting} allows it.` +
      (nearest === undefined ? "" : ` The nearest one is ${JSON.stringify(nearest)}.`) +
      shell +
      ` To allow it, a person adds to toolwright.config.json: ${addition.slice(0, 600)}`,
    {
      code: "FORBIDDEN_COMMAND",
      details: {
        argv: argv.slice(0, 50).map((word) => word.slice(0, 200)),
        setting,
        allowed: entries.slice(0, 20).map((entry) => [...entry]),
        ...(nearest !== undefined && { nearest: [...nearest] }),
      },
    },
  );
}

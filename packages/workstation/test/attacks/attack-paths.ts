import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { type Arena, HIDDEN, OUTSIDE_NAME, openArena, type Said, SECRET } from "./arena.js";
import { SLOTS, type Slot } from "./slots.js";
import {
  GIT_PATHS,
  HIDDEN_PATHS,
  LAST_LINKS,
  LOOKALIKES,
  SPELLINGS,
  type Spelling,
  THROUGH_LINKS,
  type Verdict,
} from "./spellings.js";

/** What a tool may say of a path, by what the path is. Everything else is a fault of the tool. */
const CODES: Readonly<Record<Exclude<Verdict, "inert">, readonly string[]>> = {
  forbidden: ["FORBIDDEN_PATH"],
  wrong: ["INVALID_ARGUMENT", "FORBIDDEN_PATH"],
};

/** A failure that the tool meant: it has a code, and words that say what to do. */
const isClear = ({ isError, code, text }: Said): boolean =>
  !isError || (typeof code === "string" && !text.includes("failed unexpectedly"));

/** What is wrong with an answer; nothing where all is well. */
function faultOf({ verdict }: Spelling, given: string, said: Said): string | undefined {
  for (const mark of [SECRET, HIDDEN]) if (said.whole.includes(mark)) return `shows ${mark}`;
  if (said.whole.includes(OUTSIDE_NAME) && !given.includes(OUTSIDE_NAME)) return "shows a name outside";
  if (!isClear(said)) return `fails without a code: ${said.text}`;
  if (verdict === "inert") return undefined;
  if (!said.isError) return `succeeds: ${said.whole.slice(0, 300)}`;
  return CODES[verdict].includes(String(said.code)) ? undefined : `says ${String(said.code)}: ${said.text}`;
}

const toInert = (spelling: Spelling): Spelling => ({ ...spelling, verdict: "inert" });

/** Every argument gets a quarter of the spellings, the next one another quarter; all of them with ATTACKS=all. */
const SHARES = process.env["ATTACKS"] === "all" ? 1 : 4;

/** The spellings that an argument is tried with, in the order of trying; what may succeed comes last. */
export function spellingsFor(slot: Slot): readonly Spelling[] {
  const isUnseen = slot.links === "unseen";
  const inside = slot.tool === "fs_create_directory" ? GIT_PATHS.map(toInert) : GIT_PATHS;
  const all = [
    ...SPELLINGS.map((each) => (isUnseen && each.isUri ? toInert(each) : each)),
    ...(isUnseen ? THROUGH_LINKS.map(toInert) : THROUGH_LINKS),
    ...HIDDEN_PATHS.map((each) => (isUnseen && each.isUri ? toInert(each) : each)),
    ...(slot.changes ? inside : []),
    ...(slot.links === "followed" ? LAST_LINKS : LAST_LINKS.map(toInert)),
    ...LOOKALIKES,
  ];
  const turn = SLOTS.indexOf(slot);
  return all.filter((_, at) => (at + turn) % SHARES === 0).map((each) => (slot.isLoose ? toInert(each) : each));
}

/** Calls a tool with each spelling, and gives those that were answered wrongly. */
async function attack(arena: Arena, slot: Slot): Promise<string[]> {
  const faults: string[] = [];
  for (const spelling of spellingsFor(slot)) {
    const given = spelling.spell(arena);
    const fault = faultOf(spelling, given, await arena.say(slot.tool, slot.args(given)));
    if (fault !== undefined) faults.push(`${spelling.name}: ${fault}`);
  }
  return faults.slice(0, 12);
}

/** Calls a tool with a path to something outside and one to nothing, and gives the pairs that it tells apart. */
async function tellApart(arena: Arena, slot: Slot): Promise<string[]> {
  const pairs = [
    [`../outside/${OUTSIDE_NAME}.txt`, `../outside/${OUTSIDE_NAME}-2.txt`],
    ["../outside", "../outsider"],
    ["/etc/passwd", "/etc/passwd-not-there"],
    [`link-folder/${OUTSIDE_NAME}.txt`, "link-folder/not-there"],
    [`link-folder/${OUTSIDE_NAME}.txt/x`, "link-folder/not-there/x"],
    ["link-folder/folder", "link-folder/not-there"],
    ["link-folder/folder/x", "link-folder/not-there/x"],
    ...(slot.links === "followed" ? [["link-file", "link-dangling"]] : []),
    ["vault/key.txt", "vault/not-there"],
  ];
  const told = pairs.map(async (pair) => {
    const [there, not] = await Promise.all(
      pair.map(async (given) => {
        const { whole } = await arena.say(slot.tool, slot.args(given));
        return whole.replaceAll(JSON.stringify(given).slice(1, -1), "PATH");
      }),
    );
    return there === not ? [] : [`${pair.join(" and ")}: ${there} and ${not}`];
  });
  return (await Promise.all(told)).flat();
}

/** Attacks every argument of the tools whose names fit. */
export function attackPathsOf(tools: RegExp): void {
  const slots = SLOTS.filter(({ tool }) => tools.test(tool));
  test.each(slots.map((slot) => [`${slot.tool} ${slot.at}`, slot] as const))(
    "%s reads and changes nothing outside, hidden or in .git, however the path is spelled",
    async (_name, slot) => {
      const arena = await openArena();
      const inside = path.join(arena.root, ".git/config");
      const before = [await arena.snapshot(), await readFile(inside, "utf8")];
      if (!slot.isLoose) expect(await tellApart(arena, slot)).toEqual([]);
      expect(await attack(arena, slot)).toEqual([]);
      expect([await arena.snapshot(), await readFile(inside, "utf8")]).toEqual(before);
      expect(await readdir(arena.base)).toEqual(["outside", "root"]);
    },
  );
}

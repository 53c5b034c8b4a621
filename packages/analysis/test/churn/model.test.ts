import { beforeEach, expect, test } from "vitest";
import { addHistory, lines, makeHistory, runGit, type Step, stopClock } from "./make-history.js";
import { churnOf } from "./reading.js";

beforeEach(stopClock);

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NAMES = ["a", "b", "c", "sub/d", "sub/e", "sub/deep/f", "g", "h"];

/** Commits that make, change, move and delete files with few names, so that names are used again and again. */
function* randomSteps(random: (below: number) => number, count: number): Generator<Step> {
  const files = new Map<string, string>();
  const pick = (from: readonly string[]): string | undefined => from[random(from.length)];
  for (let at = 0; at < count; at += 1) {
    const [put, drop, move] = [{} as Record<string, string>, [] as string[], {} as Record<string, string>];
    const touched = new Set<string>();
    for (let left = 1 + random(3); left > 0; left -= 1) {
      const known = pick([...files.keys()].filter((name) => !touched.has(name)));
      const free = pick(NAMES.filter((name) => !files.has(name) && !touched.has(name)));
      const operation = random(6);
      if (operation < 2 && free !== undefined) {
        put[free] = lines(20 + random(20), `${at}.${left}`);
        files.set(free, put[free]);
        touched.add(free);
      } else if (operation === 2 && known !== undefined && free !== undefined) {
        move[known] = free;
        const text = (files.get(known) ?? "") + lines(random(3), `move ${at}`);
        put[free] = text;
        files.delete(known);
        files.set(free, text);
        touched.add(known).add(free);
      } else if (operation === 3 && known !== undefined) {
        drop.push(known);
        files.delete(known);
        touched.add(known);
      } else if (known !== undefined) {
        put[known] =
          (files.get(known) ?? "").split("\n").slice(random(3)).join("\n") + lines(1 + random(4), `edit ${at}`);
        files.set(known, put[known]);
        touched.add(known);
      }
    }
    const on = new Date(Date.parse("2031-05-01T00:00:00Z") + at * 60_000).toISOString();
    yield { on, by: `P${random(3)} <p@example.com>`, put, drop, move };
  }
}

interface Entry {
  readonly to: string;
  readonly from: string;
  readonly additions: number;
  readonly deletions: number;
}

/** What one commit does, as git says when it is asked for this commit alone. */
function entriesOf(root: string, hash: string): readonly Entry[] {
  const parts = runGit(root, ["show", "--format=", "--numstat", "--find-renames", "-z", hash]).split("\0");
  const entries: Entry[] = [];
  while (parts.length > 1) {
    const [additions = "", deletions = "", name = ""] = (parts.shift() ?? "").split("\t");
    const from = name === "" ? (parts.shift() ?? "") : name;
    const to = name === "" ? (parts.shift() ?? "") : name;
    entries.push({ to, from, additions: Number(additions), deletions: Number(deletions) });
  }
  return entries;
}

/** Goes back in time with one file, and with all names that it had. */
function followed(name: string, history: readonly { readonly author: string; readonly entries: readonly Entry[] }[]) {
  const found = { path: name, commits: 0, additions: 0, deletions: 0, authors: new Set<string>() };
  const names = new Set([name]);
  for (const { author, entries } of history) {
    const mine = entries.filter(({ to }) => names.has(to));
    if (mine.length > 0) {
      found.commits += 1;
      found.authors.add(author);
    }
    // Before that another file had the name, which went on to another one.
    for (const { from, to } of entries) if (from !== to && !names.has(to)) names.delete(from);
    for (const { from, additions, deletions } of mine) {
      found.additions += additions;
      found.deletions += deletions;
      names.add(from);
    }
  }
  return found;
}

test.each([1, 2, 3, 4, 5, 6])(
  "a random history (seed %i) is counted as one that is followed file by file",
  async (seed) => {
    const root = await makeHistory([]);
    addHistory(root, [...randomSteps(randomOf(seed * 7919), 25)]);
    const commits = runGit(root, ["log", "--format=%H %an", "main"]).trim().split("\n");
    const history = commits.map((line) => {
      const [hash = "", author = ""] = line.split(" ");
      return { author, entries: entriesOf(root, hash) };
    });
    const there = runGit(root, ["ls-tree", "-r", "--name-only", "main"]).trim().split("\n").filter(Boolean);
    const report = await churnOf(root);
    const told = report.files.map(({ path, commits: count, additions, deletions, unique_authors }) => ({
      path,
      commits: count,
      additions,
      deletions,
      authors: new Set(unique_authors),
    }));
    const expected = there.map((name) => followed(name, history));
    expect(told.sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual(expected);
    expect(report.summary.total_commits).toBe(history.filter(({ entries }) => entries.length > 0).length);
  },
);

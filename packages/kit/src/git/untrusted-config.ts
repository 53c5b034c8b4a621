import { isUtf8 } from "node:buffer";
import os from "node:os";
import { ToolError } from "@toolwright/engine";

/** What the configuration of a repository came to: what of it is switched off, and what of the user's own is needed. */
export interface Config {
  /** Settings that go over those of the repository. */
  readonly overrides: readonly (readonly [key: string, value: string])[];
  /** Settings that switch off the hooks that are in the configuration, as newer gits have them. */
  readonly hooksOff: readonly (readonly [key: string, value: string])[];
  /** The names of the filters that only the repository defines; they are switched off. */
  readonly filters: ReadonlySet<string>;
  /** Files of commits that blame passes over, which only the repository names; this cannot be switched off. */
  readonly ignoreFiles: readonly string[];
  /** Whether the user, not the repository, wants every commit signed. */
  readonly isSigning: boolean;
}

/** What would run a program, or read a file that git would not read on its own, and what takes its place. */
const NEUTRAL: readonly (readonly [key: RegExp, value: string])[] = [
  [/^core\.(?:sshcommand|gitproxy|askpass|editor|pager|alternaterefscommand)$|^sequence\.editor$/, ""],
  [/^core\.attributesfile$|^diff\.orderfile$|^mailmap\.file$/, os.devNull],
  [/^filter\..*\.(?:clean|smudge|process)$|^merge\..*\.driver$|^trailer\..*\.(?:command|cmd)$/, ""],
  // Without it git would refuse to read files whose filter is switched off.
  [/^filter\..*\.required$/, "false"],
  [/^diff\.(?:.*\.)?(?:external|command|textconv)$/, ""],
  [/^gpg\.(?:.*\.)?(?:program|defaultkeycommand)$|^credential\.(?:.*\.)?helper$/, ""],
  [/^protocol\.(?:.*\.)?allow$/, "never"],
  [/^remote\..*\.(?:uploadpack|receivepack|vcs|proxy)$|^uploadpack\.packobjectshook$/, ""],
  // Git LFS, which may be a filter of the user's own, asks git for these.
  [/^lfs\.(?:extension|customtransfer)\.|^lfs\.standalonetransferagent$/, ""],
  [/^submodule\..*\.update$/, "none"],
];

/** More than any honest repository has; each takes a place in the environment of git. */
const MOST_OVERRIDES = 500;

/** Reads `git config --list -z --show-scope`: what a repository sets itself is not trusted, what the user sets is. */
export function readConfig(listing: Buffer): Config {
  const overrides = new Map<string, string>();
  const hooks = new Set<string>();
  const filters = new Set<string>();
  const ignoreFiles: string[] = [];
  let isSigning = false;
  for (const { scope, key, value } of entriesOf(listing)) {
    const name = key.toString("utf8");
    if (scope === "local" || scope === "worktree") {
      if (name === "blame.ignorerevsfile" && value) ignoreFiles.push(value);
      const hook = /^hook\.(.*)\.[^.]*$/s.exec(name)?.[1];
      if (hook !== undefined) hooks.add(hook);
      const found = NEUTRAL.find(([pattern]) => pattern.test(name));
      if ((found ?? hook) !== undefined && !isUtf8(key)) throw unreadable(name);
      if (found === undefined) continue;
      overrides.set(name, found[1]);
      const filter = /^filter\.(.*)\.(?:clean|process)$/.exec(name)?.[1];
      if (filter !== undefined) filters.add(filter);
    } else if (name === "commit.gpgsign") isSigning = isTrue(value);
  }
  if (overrides.size + hooks.size > MOST_OVERRIDES) throw tooMany();
  const hasOwnProgram = [...overrides.keys()].some((key) => key.startsWith("gpg."));
  return {
    overrides: [...overrides],
    hooksOff: [...hooks].map((hook) => [`hook.${hook}.enabled`, "false"]),
    filters,
    ignoreFiles,
    isSigning: isSigning && !hasOwnProgram,
  };
}

interface Entry {
  readonly scope: string;
  readonly key: Buffer;
  readonly value: string | undefined;
}

function* entriesOf(listing: Buffer): Generator<Entry> {
  for (let from = 0; from < listing.length; ) {
    const scopeEnd = endOf(listing, from);
    const entryEnd = endOf(listing, scopeEnd + 1);
    const entry = listing.subarray(scopeEnd + 1, entryEnd);
    const keyEnd = entry.indexOf("\n");
    const hasValue = keyEnd !== -1;
    yield {
      scope: listing.toString("latin1", from, scopeEnd),
      key: hasValue ? entry.subarray(0, keyEnd) : entry,
      value: hasValue ? entry.toString("utf8", keyEnd + 1) : undefined,
    };
    from = entryEnd + 1;
  }
}

function endOf(listing: Buffer, from: number): number {
  const at = listing.indexOf(0, from);
  return at === -1 ? listing.length : at;
}

/** A key without a value is true. */
const isTrue = (value = "true"): boolean => /^(?:true|yes|on|[1-9]\d*)$/i.test(value);

// Such a name cannot be written into the environment of a program, so that it could not be switched off.
const unreadable = (name: string): ToolError =>
  new ToolError(
    `Cannot use this repository: its configuration names a program under ${JSON.stringify(name)}, which is no UTF-8. Remove it from .git/config by hand.`,
    { code: "GIT_FAILED", details: { setting: name } },
  );

const tooMany = (): ToolError =>
  new ToolError(
    `Cannot use this repository: its configuration names more than ${MOST_OVERRIDES} programs, which no honest one does. Look at .git/config by hand.`,
    { code: "GIT_FAILED", details: { expected: MOST_OVERRIDES } },
  );

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { folder, main } from "./listening.js";

/** A shell in a pseudo-terminal takes its time. */
const TIME_LIMIT_MS = 60_000;

const isHere = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

/** A person's folder with the command in it, and what it prints for a shell. */
function prepare(shell: string): { place: string; env: NodeJS.ProcessEnv; script: string } {
  const place = folder();
  const command = path.join(place, "toolwright");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(command, 0o755);
  const script = path.join(place, `completion.${shell}`);
  writeFileSync(script, execFileSync(process.execPath, [main, "completion", shell]));
  return { place, script, env: { ...process.env, HOME: place, PATH: `${place}:${process.env["PATH"]}` } };
}

/** What fish offers for a line, without what it says of each. */
function offersOfFish(line: string): string[] {
  const { place, env, script } = prepare("fish");
  const words = ["--no-config", "-c", `source '${script}'; complete -C '${line}'`];
  const out = execFileSync("fish", words, { cwd: place, env, encoding: "utf8", timeout: TIME_LIMIT_MS });
  return out.split("\n").flatMap((offer) => (offer === "" ? [] : [offer.replace(/\t.*/, "")]));
}

/** Types a line into zsh, presses the tabulator, and writes down what its completion offers. */
const ZSH_DRIVER = `
zmodload zsh/zpty
await() { until [[ -s $1 ]]; do sleep 0.05; done }
zpty -b shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; source $SCRIPT"
zpty -w shell 'compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  typeset -a hits
  builtin compadd -O hits "$@"
  print -rl -- $hits >> $OFFERS
  builtin compadd "$@"
}'
zpty -w shell 'print ready > $READY'
await $READY
# The shell reads the second line when completion has ended: control-U removes what it has completed.
zpty -n -w shell "$LINE"$'\\t'
zpty -w shell $'\\x15print done > $DONE'
await $DONE
zpty -d shell
`;

function offersOfZsh(line: string): string[] {
  const { place, env, script } = prepare("zsh");
  const [offers, ready, done] = [`${place}/offers`, `${place}/ready`, `${place}/done`];
  const given = { ...env, SCRIPT: script, OFFERS: offers, READY: ready, DONE: done, LINE: line };
  execFileSync("zsh", ["-f", "-c", ZSH_DRIVER], { cwd: place, env: given, timeout: TIME_LIMIT_MS });
  return execFileSync("cat", [offers], { encoding: "utf8" })
    .split("\n")
    .filter((offer) => offer !== "");
}

/** What is typed, and what is offered for it. */
const LINES: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ["toolwright ser", ["serve"]],
  ["toolwright task ad", ["add"]],
  ["toolwright task add --pri", ["--priority"]],
  ["toolwright task list --status ", ["completed", "failed", "in_progress", "pending"]],
  ["toolwright serve --ht", ["--http"]],
  ["toolwright config s", ["schema", "show"]],
];

describe.each([
  ["zsh", offersOfZsh],
  ["fish", offersOfFish],
] as const)("in %s, what the command line can take is completed", (shell, offersOf) => {
  const skipped = isHere(shell) ? "" : ` (skipped: ${shell} is not installed)`;
  test.skipIf(skipped !== "").each(LINES)(`%j${skipped}`, { timeout: TIME_LIMIT_MS }, (line, offers) => {
    expect(offersOf(line).toSorted()).toEqual(offers);
  });
});

import { Failure, UsageError } from "@toolwright/kit/cli";
import { say, sayJson } from "@toolwright/kit/terminal";
import { askEach, complain, isSomebodyThere, paintOut } from "./ask.js";
import { dropBackup, keepBackup, replaceConfig } from "./config-file.js";
import type { InstallOptions } from "./options.js";
import type { Change, Refusal } from "./plan-changes.js";
import { diffOf, paintDiff, shortPath } from "./show-change.js";

/** What became of one client. */
interface Outcome {
  readonly client: string;
  readonly file?: string;
  readonly outcome: "added" | "updated" | "removed" | "unchanged" | "declined" | "failed" | "would change";
  readonly diff?: string;
  readonly backup?: string;
  readonly reason?: string;
}

const DONE = { add: "added", update: "updated", remove: "removed", nothing: "unchanged" } as const;

/** Shows the changes, asks for confirmation, writes them, and reports the outcome. Throws if one failed. */
export async function applyChanges(
  command: "install" | "uninstall",
  options: InstallOptions,
  home: string,
  { changes, refusals }: { readonly changes: readonly Change[]; readonly refusals: readonly Refusal[] },
): Promise<void> {
  const paint = paintOut();
  const due = changes.filter(({ action }) => action !== "nothing");
  const isAsked = due.length > 0 && !options.yes && !options.dryRun;
  if (isAsked && (options.json || !isSomebodyThere()))
    throw new UsageError(`${command} needs --yes where nobody can be asked; --dry-run shows what it would do`);
  const show = async (change: Change): Promise<string> => {
    const { client, config } = change;
    const head = `${paint.bold(client.title)}  ${paint.faint(shortPath(config.file, home))}`;
    if (!options.json) await say(`${head}\n${paintDiff(await diffOf(change), paint)}\n\n`);
    return `Change ${shortPath(config.file, home)}?`;
  };
  if (!isAsked) for (const change of due) await show(change);
  const agreed = isAsked ? await askEach(due, show) : options.dryRun ? [] : due;
  const outcomes: Outcome[] = refusals.map(({ client, file, reason }) => ({
    client: client.id,
    ...(file !== undefined && { file }),
    outcome: "failed",
    reason,
  }));
  for (const change of changes) {
    const outcome = await settle(change, agreed.includes(change), options);
    outcomes.push(outcome);
    if (!options.json) await printOutcome(outcome, change, options.name, home);
  }
  if (options.json) await sayJson(outcomes);
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  if (outcomes.length === 1 && failed[0]?.reason !== undefined) throw new Failure(failed[0].reason, 1);
  for (const { reason = "" } of options.json ? [] : failed) complain(reason);
  if (failed.length > 0) throw new Failure(`${failed.length} of ${outcomes.length} could not be done`, 1);
  if (isAsked && agreed.length === 0) throw new Failure("Nothing was changed", 1);
}

async function settle(change: Change, isAgreed: boolean, { dryRun }: InstallOptions): Promise<Outcome> {
  const { client, config, action, after, restores } = change;
  const about = { client: client.id, file: config.file };
  if (action === "nothing") return { ...about, outcome: "unchanged" };
  const diff = await diffOf(change);
  if (!isAgreed) return { ...about, outcome: dryRun ? "would change" : "declined", diff };
  try {
    let backup: string | undefined;
    replaceConfig(config, after, () => {
      backup = restores === undefined ? keepBackup(config) : undefined;
    });
    if (restores !== undefined) dropBackup(restores);
    return { ...about, outcome: DONE[action], diff, ...(backup !== undefined && { backup }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...about, outcome: "failed", reason: error.message };
  }
}

async function printOutcome({ outcome, backup }: Outcome, change: Change, name: string, home: string): Promise<void> {
  const paint = paintOut();
  const { title, nextStep, projectNote } = change.client;
  const file = shortPath(change.config.file, home);
  const kept = backup === undefined ? "" : paint.faint(`  backup: ${shortPath(backup, home)}`);
  if (outcome === "unchanged") return say(`${paint.green("✓")} ${title}: ${name} is there already, nothing to do`);
  if (outcome === "would change" || outcome === "failed") return;
  if (outcome === "declined") return say(`- ${title}: left as it is`);
  const next = [nextStep, ...(change.place.scope === "project" && projectNote !== undefined ? [projectNote] : [])];
  const messages = {
    added: `added ${name} to ${file}. ${next.join(" ")}`,
    updated: `updated ${name} in ${file}. ${next.join(" ")}`,
    removed: `took ${name} out of ${file}`,
  };
  await say(`${paint.green("✓")} ${title}: ${messages[outcome]}${kept === "" ? "" : `\n${kept}`}`);
}

import type { CommandContext } from "@toolwright/kit/cli";
import { say, sayJson } from "@toolwright/kit/terminal";
import { installModel } from "../embedders/install-model.js";
import { findMinilm } from "../embedders/open-embedder.js";
import { formatBytes } from "./format.js";
import { type CommonInput, interruptible } from "./open-knowledge.js";

/** `toolwright kb model show` */
export async function runShow(input: CommonInput, ctx: CommandContext): Promise<void> {
  const { host } = await ctx.openPack();
  const folder = await findMinilm(host.stateFolder);
  if (folder === undefined) process.exitCode = 1;
  if (input.json) return sayJson({ folder: folder ?? null });
  await say(folder ?? "all-MiniLM-L6-v2 is not installed. To install it, run: toolwright kb model install");
}

/** `toolwright kb model install` */
export async function runInstall(input: CommonInput, ctx: CommandContext): Promise<void> {
  const { signal, onProgress } = ctx;
  const installed = await interruptible(ctx, "Interrupted; nothing was installed", () =>
    installModel({ signal, onProgress }),
  );
  if (input.json) return sayJson(installed);
  if (input.quiet) return;
  const { name, folder, isOld, bytes } = installed;
  const { paint } = ctx.screen;
  await say(
    isOld
      ? `${name} is already installed: ${folder}`
      : `${paint.green("✓")} Installed ${name} (${formatBytes(bytes)}): ${folder}\nThe next ingest of a collection uses it.`,
  );
}

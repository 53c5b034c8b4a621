import type { CommandContext } from "@toolwright/kit/cli";
import { remark, say, sayJson, visibleName } from "@toolwright/kit/terminal";
import { exportCollection } from "../transfer/export-collection.js";
import { importCollection } from "../transfer/import-collection.js";
import { count, formatBytes } from "./format.js";
import { type CommonInput, interruptible, toCall, withKnowledge } from "./open-knowledge.js";

interface ExportInput extends CommonInput {
  readonly collection: string;
  readonly path: string;
  readonly version: number | undefined;
  readonly noVectors: boolean;
}

/** `toolwright kb export` */
export const runExport = (input: ExportInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { collection, path, version, noVectors } = input;
    const done = await interruptible(ctx, "Interrupted; no file was written", () =>
      exportCollection(context, toCall(ctx), { collection, path, version, vectors: !noVectors }),
    );
    if (input.json) return sayJson(done);
    if (input.quiet) return;
    const { paint } = ctx.screen;
    const counts = `${count(done.documents, "document")}, ${count(done.chunks, "passage")}, ${formatBytes(done.bytes)}`;
    await say(`${paint.green("✓")} Wrote version ${done.version} to ${paint.bold(visibleName(done.path))}: ${counts}`);
  });

/** `toolwright kb import` */
export const runImport = (
  input: CommonInput & { readonly path: string; readonly name: string | undefined },
  ctx: CommandContext,
): Promise<void> =>
  withKnowledge(
    ctx,
    input,
    async (context) => {
      const { path, name } = input;
      const done = await interruptible(ctx, "Interrupted; the active version is unchanged", () =>
        importCollection(context, toCall(ctx), { path, name }),
      );
      if (input.json) return sayJson(done);
      for (const warning of done.warnings) remark(`! ${warning}`);
      if (input.quiet) return;
      const { paint } = ctx.screen;
      const counts = `${count(done.documents, "document")}, ${count(done.chunks, "passage")}`;
      await say(`${paint.green("✓")} ${paint.bold(done.collection)} version ${done.version} is active: ${counts}`);
    },
    { creates: true },
  );

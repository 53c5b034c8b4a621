import { Failure, UsageError } from "@toolwright/kit/cli";
import { Report, say, sayJson } from "@toolwright/kit/terminal";
import { installModel } from "../embedders/install-model.js";
import { findMinilm } from "../embedders/open-embedder.js";
import type { Bench, Deed } from "./bench.js";
import { listenForInterruption } from "./interruption.js";
import { size } from "./words.js";

/** `toolwright kb model install`: fetches all-MiniLM-L6-v2 and what runs it; `show` says whether it is there. */
export const model: Deed = async (bench) => {
  const [word] = bench.words;
  if (word === "install") await install(bench);
  else if (word === "show") await show(bench);
  else throw new UsageError(`kb model needs one of install, show, not "${word}"`);
};

async function show({ base, options }: Bench): Promise<void> {
  const folder = await findMinilm(base.state);
  if (options["--json"]) return sayJson({ folder: folder ?? null });
  await say(folder ?? 'all-MiniLM-L6-v2 is not installed; "toolwright kb model install" fetches it');
  if (folder === undefined) process.exitCode = 1;
}

async function install({ options, screen: { paint } }: Bench): Promise<void> {
  const interruption = listenForInterruption();
  const report = new Report(process.stderr);
  try {
    const installed = await installModel({
      signal: interruption.signal,
      progress: ({ done, total, message }) => {
        if (options["--quiet"] === undefined)
          report.state(`${done + 1 > total ? total : done + 1} of ${total}: ${message}`);
      },
    });
    report.clear();
    if (options["--json"]) return sayJson(installed);
    if (options["--quiet"]) return;
    const { name, folder, isOld, bytes } = installed;
    await say(
      isOld
        ? `${name} was there already: ${folder}`
        : `${paint.green("✓")} ${name} is installed (${size(bytes)}): ${folder}\nThe next ingest of a collection uses it.`,
    );
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    throw new Failure("Interrupted; nothing was installed", interruption.code, error);
  } finally {
    report.clear();
    interruption.release();
  }
}

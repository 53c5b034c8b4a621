import { numberOf } from "@toolwright/kit/cli";
import { remark, say, sayJson, visibleName } from "@toolwright/kit/terminal";
import { exportCollection } from "../transfer/export-collection.js";
import { importCollection } from "../transfer/import-collection.js";
import type { Deed } from "./bench.js";
import { withBar } from "./with-bar.js";
import { count, forPeople, size } from "./words.js";

/** `toolwright kb export`: writes a version of a collection into one file. */
export const exportOne: Deed = async (bench) => {
  const { base, options, words, screen } = bench;
  const [collection = "", path = ""] = words;
  const wish = {
    collection,
    path,
    version: numberOf(options, "--version", 0),
    vectors: options["--no-vectors"] === undefined,
  };
  const done = await withBar(bench, "Interrupted; no file was written", (call) => exportCollection(base, call, wish));
  if (options["--json"]) return sayJson(done);
  if (options["--quiet"]) return;
  const counts = `${count(done.documents, "document")}, ${count(done.chunks, "passage")}, ${size(done.bytes)}`;
  await say(
    `${screen.paint.green("✓")} ${screen.paint.bold(visibleName(done.path))} has version ${done.version}: ${counts}`,
  );
};

/** `toolwright kb import`: takes in what an export has written. */
export const importOne: Deed = async (bench) => {
  const { base, options, words, screen } = bench;
  const [path = ""] = words;
  const wish = { path, name: options["--name"]?.[0] };
  const done = await withBar(bench, "Interrupted; what answered before answers still", (call) =>
    importCollection(base, call, wish),
  );
  if (options["--json"]) return sayJson(done);
  for (const warning of done.warnings) remark(`! ${forPeople(warning)}`);
  if (options["--quiet"]) return;
  const counts = `${count(done.documents, "document")}, ${count(done.chunks, "passage")}`;
  const { collection, version } = done;
  await say(`${screen.paint.green("✓")} ${screen.paint.bold(collection)} version ${version} answers now: ${counts}`);
};

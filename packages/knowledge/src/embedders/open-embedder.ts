import path from "node:path";
import type { Embedder } from "./embedder.js";
import { unavailable } from "./faults.js";
import { findMinilm, modelsFolder } from "./models/places.js";
import type { EmbedderSettings, NamedEmbedder } from "./settings.js";

export { EMBEDDER_SETTINGS, type EmbedderSettings } from "./settings.js";

/**
 * Opens the embedder that the settings ask for. Nothing is fetched, and no address is spoken to that they do not name. Models that
 * are installed are looked for below `state`, the folder in which the server keeps things, and in `models`. An endpoint that has to be
 * asked something is asked once where it `isUrgent`.
 */
export async function openEmbedder(
  settings: EmbedderSettings,
  state: string,
  models: string = modelsFolder(),
  isUrgent = false,
): Promise<Embedder> {
  if (typeof settings !== "string") return openNamed(settings, state, models, isUrgent);
  const minilm = settings === "static" ? undefined : await findMinilm(state, models);
  if (minilm !== undefined) return (await import("./minilm.js")).openMinilm(minilm);
  if (settings === "minilm") throw notInstalled("Cannot use all-MiniLM-L6-v2");
  return (await import("./static-embedder.js")).createStaticEmbedder();
}

async function openNamed(settings: NamedEmbedder, state: string, models: string, isUrgent: boolean): Promise<Embedder> {
  if (settings.kind !== "onnx")
    return (await import("./endpoints/open-endpoint.js")).openEndpoint(settings, { isUrgent });
  const { folder, query_prefix: query = "", passage_prefix: passage = "" } = settings;
  if (folder === undefined) throw unavailable("Cannot embed texts: embedder.folder is missing.");
  const minilm = await findMinilm(state, models);
  // What runs any model comes with that one.
  if (minilm === undefined) throw notInstalled(`Cannot run the model in ${folder}`);
  const { openOnnxFolder } = await import("./onnx/open-folder.js");
  return openOnnxFolder(folder, path.join(minilm, "runtime"), { query, passage });
}

const notInstalled = (deed: string) =>
  unavailable(`${deed}: ONNX Runtime and all-MiniLM-L6-v2 are not installed. Run "toolwright kb model install".`);

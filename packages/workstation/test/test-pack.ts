import path from "node:path";
import type { JsonObject, Pack } from "@toolwright/engine";
import { createFilePolicy, type FileSettings } from "@toolwright/kit/files";
import { bindPack } from "@toolwright/kit/pack";
import workstation from "../src/index.js";

/** The options of a pack under test. */
export interface TestPackOptions {
  readonly root: string;
  /** The folder for the state of all packs. */
  readonly state: string;
  /** Settings of the pack. */
  readonly settings?: JsonObject;
  /** Settings of the server for files, without the root. */
  readonly policy?: Partial<FileSettings>;
  /** The configuration file with which the server was started. */
  readonly configuration?: string | undefined;
}

/** Creates the pack over a root. */
export function createTestPack({ root, state, settings = {}, policy = {}, configuration }: TestPackOptions): Pack {
  const ownPaths = [state, ...["workstation", "results"].map((name) => path.join(state, name))];
  const files = createFilePolicy({
    settings: { roots: [root], ...policy },
    ownPaths,
    configurationFile: configuration,
  });
  return bindPack(workstation, { stateFolder: state, files, configurationFile: configuration })(settings);
}

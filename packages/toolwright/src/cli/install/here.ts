import os from "node:os";
import { currentFolder } from "@toolwright/kit/files";
import type { Surroundings } from "../../clients/environment.js";

/** The user, the folder and the machine that this process runs for. */
export const here = (): Surroundings => ({
  home: os.homedir(),
  folder: currentFolder(),
  platform: process.platform,
  env: process.env,
});

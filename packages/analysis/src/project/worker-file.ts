import { builtFile } from "@toolwright/kit/files";

/** The program of the worker threads. */
export const WORKER_FILE = builtFile("analysis-worker.js");

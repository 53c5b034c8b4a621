/** The program of the threads; the build makes it, whether this one runs from there or from its sources. */
export const WORKER_FILE = new URL(
  import.meta.url.endsWith(".ts") ? "../../../../dist/analysis-worker.js" : "./analysis-worker.js",
  import.meta.url,
);

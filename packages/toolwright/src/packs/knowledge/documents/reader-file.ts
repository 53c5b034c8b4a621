/** The program of the thread that reads documents; the build makes it, whether this one runs from there or from its sources. */
export const READER_FILE = new URL(
  import.meta.url.endsWith(".ts") ? "../../../../dist/knowledge-reader.js" : "./knowledge-reader.js",
  import.meta.url,
);

let isReady = false;

/**
 * Writes to stderr. The stream is opened at the first use, because few servers ever write and opening it takes time at start;
 * a log that nobody reads any more must not become an error of its own, which would be logged in turn, without end.
 */
export function writeStderr(text: string): void {
  if (!isReady) {
    isReady = true;
    process.stderr.on("error", () => undefined);
  }
  process.stderr.write(text);
}

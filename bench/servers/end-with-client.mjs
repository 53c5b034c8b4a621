/** A server that listens does not notice that the bench was killed; the end of its input tells it. */
export function endWithClient() {
  process.stdin.on("end", () => process.exit()).resume();
}

let isDone = false;

/** Lets the work go on when whoever reads the output has left, as `head` does: else Node ends the process with a stack trace. */
export function outliveReaders(): void {
  if (isDone) return;
  isDone = true;
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

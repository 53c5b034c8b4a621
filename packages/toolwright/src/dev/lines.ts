import type { Readable } from "node:stream";

/** Tells the lines of a stream without their ends; what stands after the last end is a line too. Only line feeds end lines: JSON may hold the other ends. */
export function hearLines(stream: Readable, hear: (line: string) => void, over: () => void = () => undefined): void {
  let parts: string[] = [];
  stream.setEncoding("utf8").on("data", (text: string) => {
    const [first = "", ...others] = text.split("\n");
    parts.push(first);
    for (const next of others) {
      hear(parts.join("").replace(/\r$/, ""));
      parts = [next];
    }
  });
  stream.on("end", () => {
    const rest = parts.join("");
    if (rest !== "") hear(rest);
    over();
  });
  // A pipe that breaks has no more lines; whoever holds its other end tells why.
  stream.on("error", over);
}

import { open } from "node:fs/promises";

/** A line of the audit log, as far as a page shows it. */
export interface AuditLine {
  readonly time: string;
  readonly tool: string;
  readonly outcome: string;
  readonly principal: string;
  readonly ms: string;
}

/** The end of a file in which the last lines are. */
const TAIL_BYTES = 64 * 1024;

/** The last lines of an audit log, the newest first; undefined where it cannot be read. */
export async function auditTail(file: string, most: number): Promise<readonly AuditLine[] | undefined> {
  try {
    await using log = await open(file, "r");
    const { size } = await log.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.subarray(0, bytesRead).toString("utf8").split("\n");
    return lines.flatMap(toLine).slice(-most).toReversed();
  } catch (error) {
    // It is made with the first line.
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
  }
}

/** The first line may be half of one, and the last is not written yet. */
function toLine(text: string): AuditLine[] {
  try {
    const line = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (line["event"] !== "end") return [];
    const word = (name: string): string => {
      const value = line[name];
      return typeof value === "string" ? value : "";
    };
    const code = word("code");
    const ms = line["durationMs"];
    return [
      {
        time: word("time"),
        tool: word("tool"),
        outcome: code === "" ? word("outcome") : `${word("outcome")} (${code})`,
        principal: word("principal"),
        ms: typeof ms === "number" ? ms.toFixed(1) : "",
      },
    ];
  } catch {
    return [];
  }
}

const dates = {
  "24": "2024-11-05",
  "03": "2025-03-26",
  "06": "2025-06-18",
  "11": "2025-11-25",
  "26": "2026-07-28",
} as const;

const groups: Readonly<Record<string, string>> = { ALL: "24 03 06 11 26", L: "24 03 06 11" };

type Transport = "any" | "stdio" | "http" | "sse" | "http sse";

/** One row of the requirement matrix, and what we claim about it. */
export interface Requirement {
  readonly id: string;
  readonly revisions: readonly string[];
  readonly transport: Transport;
  readonly says: string;
  /** What of the row is left for later although the row is covered. */
  readonly partly?: string;
}

/** Writes down a covered row; `revisions` is spelled as in the matrix: `ALL`, `L`, or two-digit codes. */
export function row(id: string, revisions: string, transport: Transport, says: string): Requirement {
  const codes = (groups[revisions] ?? revisions).split(" ");
  return { id, revisions: codes.map(toDate), transport, says };
}

/** Marks a covered row of which something is left for later. */
export function partly(left: string, requirement: Requirement): Requirement {
  return { ...requirement, partly: left };
}

function toDate(code: string): string {
  const date = Object.entries(dates).find(([known]) => known === code)?.[1];
  if (date === undefined) throw new TypeError(`No revision has the code "${code}"`);
  return date;
}

import { converseInMemory, opening } from "../converse.js";
import { createWorkbench } from "../fuzz-server.js";
import { type Target, violation } from "./target.js";

const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Each line is a message, and is answered as often as required, and validly. The first character selects the revision. */
export const conversation: Target = async (input) => {
  const revision = REVISIONS[input.charCodeAt(0) % REVISIONS.length] ?? "2025-11-25";
  const lines = input
    .slice(1)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const faults = await converseInMemory(createWorkbench(), revision, [...opening(revision), ...lines], input.length);
  if (faults.length > 0) throw violation(faults.join("; "));
};

/** The code that tools look at. */
export const REVIEW_INPUT = {
  diff: { type: "string", maxLength: 2_000_000, description: "A unified difference" },
  files: { type: "array", maxItems: 200, items: { type: "string" }, description: "Files or folders" },
} as const;

/** Where a value was given. */
export interface Source {
  readonly from: "default" | "profile" | "file" | "environment" | "flag";
  /** The place in the file, the variable or the option; empty for a default. */
  readonly at: string;
}

/** How people call a setting who gave it there: `--http`, `TOOLWRIGHT_WS`, `http.sse in toolwright.config.json:4`. */
export function calledIn(key: string, { from, at }: Source): string {
  if (from === "default") return key;
  if (from === "profile") return `${key} in profile ${at}`;
  return from === "file" ? `${key} in ${at}` : at;
}

let loaded: Promise<typeof import("./wrong-value.js")> | undefined;

/** Loads what repairs and refuses wrong values, a third of all that reads schemas: a server starts without it. */
export function loadWrongValue(): Promise<typeof import("./wrong-value.js")> {
  return (loaded ??= import("./wrong-value.js"));
}

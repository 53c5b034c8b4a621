/** A function with so many decisions one after the other. */
export const branches = (name: string, count: number): string =>
  [
    `export function ${name}(a: number): number {`,
    ...Array.from({ length: count }, (_, at) => `  if (a === ${at}) return ${at};`),
    "  return a;",
    "}",
    "",
  ].join("\n");

/** A function with conditions in each other: its cognitive complexity is 1 + 2 + … + depth. */
export const nested = (name: string, depth: number): string =>
  [
    `export function ${name}(a: number): void {`,
    `${Array.from({ length: depth }, (_, at) => `if (a > ${at}) {`).join(" ")} a++; ${"}".repeat(depth)}`,
    "}",
    "",
  ].join("\n");

/** A file that the build writes: it lies beside the bundled program, or in the package `toolwright` if this runs from its sources. */
export const builtFile = (name: string): URL =>
  new URL(import.meta.url.endsWith(".ts") ? `../../../toolwright/dist/${name}` : `./${name}`, import.meta.url);

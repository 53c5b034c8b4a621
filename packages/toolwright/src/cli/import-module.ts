/**
 * Imports a module that only the running program knows. The build leaves this file outside of the script files: V8 has no `import()` in
 * code that comes from its cache.
 */
export const importModule = (url: string): Promise<Record<string, unknown>> =>
  import(url) as Promise<Record<string, unknown>>;

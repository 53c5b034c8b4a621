import { readFile } from "node:fs/promises";
import { type LoadHook, type ResolveHook, register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { transform } from "sucrase";

// Node runs the hooks themselves in a thread of their own, which reads this file once more.
if (isMainThread) register(import.meta.url);

/** Newer Node takes the types out by itself. */
const isKnown = "typescript" in process.features && Boolean(process.features.typescript);

/** Lets an import of a `.js` that was never built mean the `.ts` beside it. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  try {
    return await next(specifier, context);
  } catch (error) {
    const meant = specifier.replace(/\.([cm]?)js$/, ".$1ts");
    const isMissing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing || meant === specifier || !/^(?:\.{1,2}\/|\/|file:)/.test(specifier)) throw error;
    try {
      return await next(meant, context);
    } catch {
      throw error;
    }
  }
};

/** Takes the types out of a file, where Node does not. */
export const load: LoadHook = async (url, context, next) => {
  if (isKnown || !/^file:.*\.m?ts$/.test(url)) return next(url, context);
  const file = fileURLToPath(url);
  return { format: "module", shortCircuit: true, source: toJavaScript(await readFile(file, "utf8"), file) };
};

/** The lines stay where they are, so that errors show the right ones without a map. */
function toJavaScript(source: string, file: string): string {
  try {
    return transform(source, {
      transforms: ["typescript"],
      filePath: file,
      disableESTransforms: true,
      preserveDynamicImport: true,
    }).code;
  } catch (error) {
    throw asSyntaxError(error as Error, file);
  }
}

/** In the format of Node: position and message. */
function asSyntaxError(error: Error, file: string): SyntaxError {
  const [, what = error.message, line = "1", column = "1"] =
    /^(?:Error transforming [^:]*: )?(.*?) \((\d+):(\d+)\)$/.exec(error.message) ?? [];
  const fault = new SyntaxError(what);
  fault.stack = `${file}:${line}\n\nSyntaxError: ${what}\n    at ${file}:${line}:${column}`;
  return fault;
}

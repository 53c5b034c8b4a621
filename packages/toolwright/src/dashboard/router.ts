import type { LogEntry } from "@toolwright/engine";
import type { Page, PageAction } from "@toolwright/kit/pages";

/** The page at a path. */
export interface Route {
  readonly page: Page;
  readonly params: Readonly<Record<string, string>>;
  /** The action that a form posts to; undefined for the page itself. */
  readonly action: PageAction | undefined;
}

interface CompiledPage {
  readonly page: Page;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** Paths of the dashboard itself, and those of the protocol. */
const RESERVED = /^\/(?:$|(?:assets|events|lock|mcp|messages|metrics|server|sse|unlock)(?:\/|$)|\.well-known\/)/;

/** Finds pages by path. */
export class Router {
  readonly pages: readonly Page[];
  readonly #compiled: readonly CompiledPage[];

  /** Pages with a path that is invalid or taken are left out and logged. */
  constructor(pages: readonly Page[], log: (entry: LogEntry) => void) {
    const compiled = new Map<string, CompiledPage>();
    for (const page of pages) {
      const shape = page.path.replaceAll(/:\w+/g, ":");
      const reason = problemOf(page.path) ?? (compiled.has(shape) ? "another page has it" : undefined);
      if (reason === undefined) compiled.set(shape, compile(page));
      else
        log({ level: "error", message: `the dashboard cannot show a page at ${JSON.stringify(page.path)}: ${reason}` });
    }
    this.pages = [...compiled.values()].map(({ page }) => page);
    // Paths without parameters come first: /tasks/search is no task.
    this.#compiled = [...compiled.values()].toSorted((one, other) => one.names.length - other.names.length);
  }

  find(path: string): Route | undefined {
    for (const { page, pattern, names } of this.#compiled) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const [, ...values] = match;
      const name = match.groups?.["action"];
      const action = name === undefined ? undefined : page.actions?.[name];
      if (name !== undefined && (action === undefined || !Object.hasOwn(page.actions ?? {}, name))) continue;
      const params = Object.fromEntries(names.map((key, index) => [key, decode(values[index] ?? "")]));
      return { page, params, action };
    }
    return undefined;
  }
}

function problemOf(path: string): string | undefined {
  if (!/^(?:\/(?:[\w.~-]+|:\w+))+$/.test(path)) return "the path must look like /notes/:id";
  return RESERVED.test(path) ? "the path is reserved" : undefined;
}

function compile(page: Page): CompiledPage {
  const names = [...page.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const source = page.path.replaceAll(/[.~-]/g, String.raw`\$&`).replaceAll(/:\w+/g, "([^/]+)");
  return { page, names, pattern: new RegExp(`^${source}(?:/(?<action>[^/]+))?$`) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { createServer } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import type { RunningServer } from "@toolwright/engine/sockets";
import { todoPages } from "@toolwright/todo/pages/index.js";
import { onTestFinished } from "vitest";
import { type Bench, type BenchOptions, openBench } from "../../../../todo/test/kit.js";
import { createDashboard } from "../../../src/dashboard/dashboard.js";

type Headers = Readonly<Record<string, string>>;

/** A dashboard over a database of its own, that is served for one test. */
export interface Site extends Bench {
  readonly url: string;
  readonly serving: RunningServer;
  readonly get: (path: string, headers?: Headers) => Promise<Response>;
  /** Sends a form as a browser on the page itself would. */
  readonly post: (path: string, form: Readonly<Record<string, string>>, headers?: Headers) => Promise<Response>;
}

export const TOKEN = "a-token-of-the-tests";

/** Serves a dashboard; with a token it can be unlocked. */
export async function openSite(options: BenchOptions & { readonly writeToken?: string } = {}): Promise<Site> {
  const { writeToken, ...how } = options;
  const bench = await openBench(how);
  const server = createServer({ name: "site", version: "1.2.3", tools: [] });
  const packs = () => [{ name: "todo", isOn: true, toolNames: ["create_task", "switched_off"] }];
  const pages = todoPages(bench.todo);
  const dashboard = createDashboard({
    version: "1.2.3",
    pages: () => pages,
    server: { server: bench.server, packs, auditFile: undefined, isStandalone: false },
    log: () => undefined,
    writeToken,
  });
  const serving = await serveHttp(server, { port: 0, pages: dashboard });
  onTestFinished(async () => {
    dashboard.close();
    await serving.close();
    await server.close();
  });
  const url = new URL("/", serving.url).href;
  const at = (path: string): string => new URL(path, url).href;
  return {
    ...bench,
    url,
    serving,
    get: (path, headers = {}) => fetch(at(path), { headers, redirect: "manual" }),
    post: (path, form, headers = {}) =>
      fetch(at(path), {
        method: "POST",
        redirect: "manual",
        headers: { origin: new URL(url).origin, ...headers },
        body: new URLSearchParams(form),
      }),
  };
}

/** The text of a page without its tags, each run of white space as one space. */
export const textOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** What stands in the main part of a page. */
export const mainOf = (page: string): string => /<main[^>]*>([^]*)<\/main>/.exec(page)?.[1] ?? "";

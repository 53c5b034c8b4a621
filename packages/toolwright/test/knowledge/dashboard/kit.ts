import { createServer } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import type { RunningServer } from "@toolwright/engine/sockets";
import { knowledgePages } from "@toolwright/knowledge/pages/index.js";
import { onTestFinished } from "vitest";
import { type Bench, type BenchOptions, openBench } from "../../../../knowledge/test/kit.js";
import { createDashboard } from "../../../src/dashboard/dashboard.js";

/** A dashboard over a knowledge base of its own, that is served for one test. */
export interface Site extends Bench {
  readonly url: string;
  readonly serving: RunningServer;
  readonly get: (path: string) => Promise<Response>;
}

/** Serves a dashboard that shows knowledge alone. */
export async function openSite(options: BenchOptions = {}): Promise<Site> {
  const bench = await openBench(options);
  const server = createServer({ name: "site", version: "1.2.3", tools: [] });
  const pages = knowledgePages(bench.context);
  const dashboard = createDashboard({
    version: "1.2.3",
    pages: () => pages,
    server: { server: bench.server, packs: () => [], auditFile: undefined, isStandalone: false },
    log: () => undefined,
  });
  const serving = await serveHttp(server, { port: 0, pages: dashboard });
  onTestFinished(async () => {
    dashboard.close();
    await serving.close();
    await server.close();
  });
  const url = new URL("/", serving.url).href;
  return { ...bench, url, serving, get: (path) => fetch(new URL(path, url), { redirect: "manual" }) };
}

/** Documents about two things, to be found by their words. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  "guides/sessions.md":
    "# Sessions\n\nA session ends after thirty minutes of silence.\n\n## Store\n\nThe store keeps every session in memory.\n",
  "guides/limits.md": "# Limits\n\nThe rate limit lets a client call a hundred times a minute.\n",
  "notes.txt": "The harbour opens at dawn. Ships wait for the tide.\n",
};

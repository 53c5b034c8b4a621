import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "./pages.js";

/** The site as it was built, file by file. */
export interface BuiltSite {
  readonly folder: string;
  /** All that the builder said. */
  readonly words: string;
  readonly code: number | null;
  /** The paths of its files, with forward slashes. */
  readonly files: readonly string[];
  read(file: string): string;
}

/** Builds the documentation into a folder of its own. */
export async function buildSite(): Promise<BuiltSite> {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-site-"));
  const vitepress = `${root}node_modules/vitepress/bin/vitepress.js`;
  const child = spawn(process.execPath, [vitepress, "build", "docs", "--outDir", folder], { cwd: root });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
  return {
    folder,
    words: Buffer.concat(said).toString(),
    code,
    files: files.toSorted(),
    read: (file) => readFileSync(path.join(folder, file), "utf8"),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** Serves the files of a site, as they are, on this machine. */
export async function serveSite({ folder, files }: BuiltSite): Promise<{ url: string; close(): Promise<void> }> {
  const known = new Set(files);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const file = decodeURIComponent(pathname === "/" ? "index.html" : pathname.slice(1));
    if (!known.has(file)) return void response.writeHead(404).end();
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type }).end(readFileSync(path.join(folder, file)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The ids of a page, which links can lead to. */
export const idsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id = ""]) => id));

interface SearchIndex {
  readonly documentIds: Readonly<Record<string, string>>;
  readonly index: readonly (readonly [
    term: string,
    fields: Readonly<Record<string, Readonly<Record<string, number>>>>,
  ])[];
}

/** The places in which a word stands, by the index that the search of the site reads. */
export async function findWord(site: BuiltSite, word: string): Promise<readonly string[]> {
  const file = site.files.find((name) => name.includes("@localSearchIndex"));
  if (file === undefined) throw new Error("The site has no index to search in");
  const { default: text } = (await import(/* @vite-ignore */ path.join(site.folder, file))) as { default: string };
  const { documentIds, index } = JSON.parse(text) as SearchIndex;
  const fields = index.find(([term]) => term === word)?.[1] ?? {};
  return Object.values(fields).flatMap((documents) => Object.keys(documents).map((id) => documentIds[id] ?? ""));
}

import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import type { Progress } from "@toolwright/kit/progress";
import { ingest } from "../../src/ingest/ingest.js";
import { search } from "../../src/search/search.js";
import { hostOf, openKnowledge } from "../open-pack.js";

// Works on a knowledge base in a process of its own, so that it can be killed, measured, or run beside others.
// "ingest DATABASE FOLDER EMBED [clock N | stage NAME]": takes the folder in, and dies at the N-th look at the clock, which comes with
// every transaction, or a moment after a stage has begun. It says how often it has looked, and how much memory it took at most.
// "ask DATABASE": asks until its input ends. It says "mixed" of an answer that is not of one version, and at last the versions it saw.
const [command = "", database = "", folder = "", embed = "", when = "", which = ""] = process.argv.slice(2);
const die = (): boolean => process.kill(process.pid, "SIGKILL");

let looks = 0;
const now = (): Date => {
  looks += 1;
  if (when === "clock" && looks === Number(which)) die();
  return new Date();
};
/** The most memory that the process ever had. On Linux `maxRSS` also counts what its parent had when it was started. */
const peakKilobytes = (): number => {
  const status = "/proc/self/status";
  const own = existsSync(status) && /VmHWM:\s*(\d+)/.exec(readFileSync(status, "utf8"))?.[1];
  return own ? Number(own) : process.resourceUsage().maxRSS;
};
const host = hostOf(os.tmpdir(), folder === "" ? [] : [folder], now);
const context = openKnowledge({ database, keepVersions: 2 }, host);
const call = {
  signal: new AbortController().signal,
  supports: () => false,
  roots: async () => [],
  onProgress({ stage }: Progress) {
    if (when === "stage" && stage.toLowerCase().startsWith(which)) setTimeout(die, Math.random() * 5);
  },
};

if (command === "ingest") {
  const { version } = await ingest(context, call, { collection: "docs", paths: ["."], embed: embed === "vectors" });
  process.stdout.write(`${JSON.stringify({ version, looks, megabytes: Math.round(peakKilobytes() / 1024) })}\n`);
} else {
  const seen = new Set<number>();
  const over = new AbortController();
  void once(process.stdin.resume(), "end").then(() => over.abort());
  while (!over.signal.aborted) {
    const options = {
      query: "edition",
      collections: [{ name: "docs" }],
      top_k: 100,
      mode: "words",
      expand: false,
    } as const;
    const { results } = await search(context, options);
    const editions = new Set(results.map(({ version, content }) => `${version} ${/edition(\d+)/.exec(content)?.[1]}`));
    const [only] = results;
    if (only !== undefined) seen.add(only.version);
    const isWhole = editions.size === 1 && editions.has(`${only?.version} ${only?.version}`) && results.length === 20;
    if (!isWhole) process.stdout.write(`mixed ${JSON.stringify([...editions])} ${results.length}\n`);
    await new Promise(setImmediate);
  }
  process.stdout.write(`saw ${JSON.stringify([...seen])}\n`);
}
await context.close();

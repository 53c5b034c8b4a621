import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { openWorkshop } from "../src/index.js";
import { makeProject, updateProject } from "../src/projects/make-project.js";
import { CATEGORIES, editionOf } from "./editions.js";

// Makes or updates a small project in a folder, and dies at the step it is told: before it changes the file system for the
// n-th time, or in the middle of writing a file. Says how many steps there were where it lives.
const [root = "", deed = "make", edition = "1", dieAt = "0"] = process.argv.slice(2);

let steps = 0;
const isLast = (): boolean => {
  steps += 1;
  return steps === Number(dieAt);
};
const die = (): void => void process.kill(process.pid, "SIGKILL");

const { promises } = fs;
for (const name of ["rename", "link", "unlink", "mkdir"] as const) {
  const plain = promises[name] as (...args: unknown[]) => Promise<unknown>;
  Object.assign(promises, {
    [name]: (...args: unknown[]) => {
      if (isLast()) die();
      return plain.apply(promises, args);
    },
  });
}
const open = promises.open.bind(promises);
promises.open = async (...args) => {
  const handle = await open(...args);
  const write = handle.writeFile.bind(handle);
  handle.writeFile = async (bytes: Buffer, ...more) => {
    if (isLast()) {
      await write(bytes.subarray(0, bytes.length / 2));
      die();
    }
    await write(bytes, ...more);
  };
  return handle;
};
syncBuiltinESMExports();

const catalogue = editionOf(Number(edition));
const settings = { roots: [root], client_roots: false, hidden: [], deadline_ms: 60_000, read_only: false };
const silent = {
  log: () => undefined,
  notifyResourceUpdated: () => undefined,
  notifyResourceListChanged: () => undefined,
};
const { workshop } = await openWorkshop(settings, silent, { catalogue: async () => catalogue, now: () => new Date(0) });
const reach = () =>
  workshop.reach({ signal: new AbortController().signal, supports: () => false, roots: async () => [] });
const wish = {
  toolchain: "go",
  templates: CATEGORIES,
  parameters: {},
  variant: "cli",
  target: "demo",
  write: true,
  dry_run: false,
};
const { errors } =
  deed === "make"
    ? await makeProject(workshop, { ...wish, on_conflict: "fail" }, reach)
    : await updateProject(workshop, { target: "demo", parameters: {}, dry_run: false }, reach);
process.stdout.write(JSON.stringify({ steps, errors }));

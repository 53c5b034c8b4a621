import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { createFilePolicy } from "@toolwright/kit/files";
import { openTemplates } from "../src/context.js";
import { createProject, updateProject } from "../src/projects/create-project.js";
import { CATEGORIES, editionOf } from "./editions.js";

// Makes or updates a small project in a folder, and dies at the step it is told: before it changes the file system for the
// n-th time, or in the middle of writing a file. Says how many steps there were where it lives.
const [root = "", action = "make", edition = "1", dieAt = "0"] = process.argv.slice(2);

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
const files = createFilePolicy({ settings: { roots: [root], clientRoots: false, timeoutMs: 60_000 } });
const host = { files, log: () => undefined, now: () => new Date(0) };
const { context } = await openTemplates({}, host, async () => catalogue);
const openAccess = () =>
  context.accessFor({ signal: new AbortController().signal, supports: () => false, roots: async () => [] });
const options = {
  toolchain: "go",
  templates: CATEGORIES,
  parameters: {},
  variant: "cli",
  target: "demo",
  write: true,
  dry_run: false,
};
const { errors } =
  action === "make"
    ? await createProject(context, { ...options, on_conflict: "fail" }, openAccess)
    : await updateProject(context, { target: "demo", parameters: {}, dry_run: false }, openAccess);
process.stdout.write(JSON.stringify({ steps, errors }));

import { readdir } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { pageOf } from "../processes/page.js";
import { readWorkflow, type Workflow } from "./workflows.js";

const MOST_BYTES = 512 * 1024;
const FOLDER = path.join(".github", "workflows");

/** A workflow, and the file that it is in. */
export type FoundWorkflow = Workflow & { readonly file: string };

/** Reads the GitHub Actions workflows of a project, or one file of them. `next` is where to go on when not all fit. */
export async function findWorkflows(
  reach: FileAccess,
  given: string,
  offset: number,
): Promise<{ readonly workflows: FoundWorkflow[]; readonly next?: { readonly offset: number } }> {
  const places = await workflowFiles(reach, given);
  const read: FoundWorkflow[] = [];
  for (const place of places.slice(offset)) {
    reach.signal?.throwIfAborted();
    read.push(await readOne(reach, place));
    if (pageOf(read, 0, read.length).length < read.length) break;
  }
  const workflows = [...pageOf(read, 0, read.length)];
  const next = offset + workflows.length;
  return { workflows, ...(next < places.length && { next: { offset: next } }) };
}

async function workflowFiles(reach: FileAccess, given: string): Promise<readonly string[]> {
  const found = await reach.stat(given);
  if (found?.stats.isFile() === true) return [found.realPath];
  await using folder = await reach.openFolder(given);
  const isItself = folder.realPath.endsWith(FOLDER);
  const place = isItself ? folder.realPath : path.join(folder.realPath, FOLDER);
  if ((await reach.stat(place))?.stats.isDirectory() !== true)
    throw new ToolError(`There are no workflows: ${reach.displayPath(place)} is not there.`, {
      code: "NOT_FOUND",
      details: { path: reach.displayPath(place) },
    });
  await using workflows = await reach.openFolder(place);
  const names = await reach.withTimeout(given, () => readdir(workflows.path));
  return names
    .filter((name) => /\.ya?ml$/i.test(name))
    .sort()
    .map((name) => path.join(place, name))
    .filter((each) => reach.isVisible(each));
}

async function readOne(reach: FileAccess, place: string): Promise<FoundWorkflow> {
  const file = reach.displayPath(place);
  const wrong = (message: string): FoundWorkflow => ({ file, triggers: [], jobs: [], faults: [{ message }] });
  try {
    await using opened = await reach.openFile(file);
    if (opened.stats.size > MOST_BYTES) return wrong(`The file has ${opened.stats.size} bytes, too many to be read.`);
    const text = await reach.withTimeout(file, () => opened.handle.readFile("utf8"));
    const workflow = { file, ...(await readWorkflow(text)) };
    const isFitting = JSON.stringify(workflow).length < 30_000;
    return isFitting ? workflow : { ...workflow, jobs: workflow.jobs.map(withoutSteps) };
  } catch (error) {
    if (error instanceof ToolError) return wrong(error.message);
    throw error;
  }
}

/** Of a workflow that does not fit into a result the steps go first. */
const withoutSteps = ({ id, needs, name }: FoundWorkflow["jobs"][number]): FoundWorkflow["jobs"][number] => ({
  id,
  ...(name !== undefined && { name }),
  needs,
  steps: [],
});

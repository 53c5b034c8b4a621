import { readdir } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type FileAccess, fitToBudget } from "@toolwright/kit/files";
import { isObject } from "@toolwright/kit/json";
import { JobLimitExceeded } from "@toolwright/kit/threads";
import type { Document } from "yaml";

/** One step of a job. */
interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
}

/** One job of a workflow. */
interface Job {
  readonly id: string;
  readonly name?: string;
  readonly runs_on?: unknown;
  readonly needs: string[];
  readonly uses?: string;
  readonly matrix?: unknown;
  readonly steps: Step[];
}

/** The content of a workflow file, and what is wrong with it. */
export interface Workflow {
  readonly name?: string;
  readonly triggers: string[];
  readonly jobs: Job[];
  readonly faults: { readonly line?: number; readonly message: string }[];
}

const MAX_TEXT = 500;

/** Parses a GitHub Actions workflow. Problems are reported as faults. */
export async function readWorkflow(text: string): Promise<Workflow> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const faults = [...document.errors, ...document.warnings].map(({ message, pos }) => ({
    line: lines.linePos(pos[0]).line,
    message,
  }));
  const content = toValue(document, faults);
  if (!isObject(content))
    return {
      triggers: [],
      jobs: [],
      faults: faults.length > 0 ? faults : [{ message: "The file contains no workflow." }],
    };
  const jobs = isObject(content["jobs"]) ? Object.entries(content["jobs"]) : [];
  if (jobs.length === 0) faults.push({ line: 1, message: "The workflow has no jobs." });
  return {
    ...textOf("name", content["name"]),
    // YAML 1.1 reads the bare word `on` as true.
    triggers: namesOf(content["on"] ?? content["true"]),
    jobs: jobs.map(([id, job]) => readJob(id, isObject(job) ? job : {})),
    faults,
  };
}

/** The value of the document. Circular and endlessly growing aliases are a fault. */
function toValue(document: Document.Parsed, faults: { line: number; message: string }[]): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    faults.push({ line: 1, message: (error as Error).message });
    return undefined;
  }
}

function readJob(id: string, job: Record<string, unknown>): Job {
  const { strategy, steps } = job;
  return {
    id,
    ...textOf("name", job["name"]),
    ...(job["runs-on"] !== undefined && { runs_on: job["runs-on"] }),
    needs: namesOf(job["needs"]),
    ...textOf("uses", job["uses"]),
    ...(isObject(strategy) && strategy["matrix"] !== undefined && { matrix: strategy["matrix"] }),
    steps: (Array.isArray(steps) ? steps : []).map((step: unknown) => {
      const { name, run, uses } = isObject(step) ? step : {};
      return { ...textOf("name", name), ...textOf("run", run), ...textOf("uses", uses) };
    }),
  };
}

function textOf<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return {};
  const text = String(value);
  return { [name]: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text } as Record<Name, string>;
}

/** One name, a list of names, or the keys of an object. */
function namesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.map(String);
  return isObject(value) ? Object.keys(value) : [];
}

const MAX_FILE_BYTES = 512 * 1024;
const MAX_WORKFLOW_LENGTH = 30_000;
/** How many bytes the workflows of one result may take. */
const PAGE_BYTES = 24_000;
const FOLDER = path.join(".github", "workflows");

/** Parses a workflow outside of the main thread. */
export type ParseWorkflow = (text: string, signal: AbortSignal | undefined) => Promise<Workflow>;

/** A workflow and its file. */
export type FoundWorkflow = Workflow & { readonly file: string };

/** Reads the GitHub Actions workflows of a project, or one file. `next` is the position of the next page. */
export async function findWorkflows(
  access: FileAccess,
  inputPath: string,
  offset: number,
  parse: ParseWorkflow,
): Promise<{ readonly workflows: FoundWorkflow[]; readonly next?: number }> {
  const files = await workflowFiles(access, inputPath);
  const read: FoundWorkflow[] = [];
  for (const realPath of files.slice(offset)) {
    access.signal?.throwIfAborted();
    read.push(await readOne(access, realPath, parse));
    if (fitToBudget(read, PAGE_BYTES).length < read.length) break;
  }
  const workflows = fitToBudget(read, PAGE_BYTES);
  const next = offset + workflows.length;
  return { workflows, ...(next < files.length && { next }) };
}

async function workflowFiles(access: FileAccess, inputPath: string): Promise<readonly string[]> {
  const found = await access.stat(inputPath);
  if (found?.stats.isFile() === true) return [found.realPath];
  await using folder = await access.openFolder(inputPath);
  const isWorkflowFolder = folder.realPath.endsWith(FOLDER);
  const realPath = isWorkflowFolder ? folder.realPath : path.join(folder.realPath, FOLDER);
  if ((await access.stat(realPath))?.stats.isDirectory() !== true)
    throw new ToolError(`There are no workflows: ${access.displayPath(realPath)} does not exist.`, {
      code: "NOT_FOUND",
      details: { path: access.displayPath(realPath) },
    });
  await using workflows = await access.openFolder(realPath);
  const names = await access.withTimeout(inputPath, () => readdir(workflows.path));
  return names
    .filter((name) => /\.ya?ml$/i.test(name))
    .sort()
    .map((name) => path.join(realPath, name))
    .filter((each) => access.isVisible(each));
}

async function readOne(access: FileAccess, realPath: string, parse: ParseWorkflow): Promise<FoundWorkflow> {
  const file = access.displayPath(realPath);
  const failed = (message: string): FoundWorkflow => ({ file, triggers: [], jobs: [], faults: [{ message }] });
  try {
    await using opened = await access.openFile(file);
    if (opened.stats.size > MAX_FILE_BYTES) return failed(`The file is too large: it has ${opened.stats.size} bytes.`);
    const text = await access.withTimeout(file, () => opened.handle.readFile("utf8"));
    const workflow = { file, ...(await parse(text, access.signal)) };
    const fits = JSON.stringify(workflow).length < MAX_WORKFLOW_LENGTH;
    return fits ? workflow : { ...workflow, jobs: workflow.jobs.map(withoutSteps) };
  } catch (error) {
    if (error instanceof ToolError) return failed(error.message);
    if (error instanceof JobLimitExceeded) return failed(`The file cannot be read: ${error.message}.`);
    throw error;
  }
}

/** The steps of a workflow that does not fit into a result are left out. */
const withoutSteps = ({ id, needs, name }: FoundWorkflow["jobs"][number]): FoundWorkflow["jobs"][number] => ({
  id,
  ...(name !== undefined && { name }),
  needs,
  steps: [],
});

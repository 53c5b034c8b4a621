import { isObject } from "@toolwright/kit/json";
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

/** What a workflow file says; faults stand beside what could be read. */
export interface Workflow {
  readonly name?: string;
  readonly triggers: string[];
  readonly jobs: Job[];
  readonly faults: { readonly line?: number; readonly message: string }[];
}

const MOST_RUN = 500;

/** Reads the text of a GitHub Actions workflow. Whatever is wrong with it is among the faults. */
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
      faults: faults.length > 0 ? faults : [{ message: "The file has no workflow in it." }],
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

/** What the document holds; aliases that lead in circles or grow without end are a fault. */
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
  return { [name]: text.length > MOST_RUN ? `${text.slice(0, MOST_RUN)}…` : text } as Record<Name, string>;
}

/** One name, a list of names, or the names of what is set. */
function namesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.map(String);
  return isObject(value) ? Object.keys(value) : [];
}

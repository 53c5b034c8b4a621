import { type JsonObject, ToolError } from "@toolwright/engine";
import { ANSWERS_FILE, projectPathFault } from "../format/project-path.js";
import { checksumOf } from "../rendering/renderer.js";
import type { ProjectFolder } from "./project-folder.js";

/** A file as a template made it: what an update compares with. */
export interface FileRecord {
  readonly template: string;
  readonly checksum: string;
  readonly text: string;
  /** The moment that the template was told of, where it is not the one of the answers. */
  readonly made_at?: string;
}

/** A file that was about to be written. */
export interface Pending {
  /** The name of the file that is written first, beside it. */
  readonly temporary: string;
  /** The checksum of what is to stand there. */
  readonly checksum: string;
  readonly record: FileRecord;
}

/** How a project was made. */
export interface Answers {
  readonly toolchain: string;
  /** The moment that the templates were told of the first time. */
  readonly madeAt: Date;
  readonly parameters: JsonObject;
  readonly files: Readonly<Record<string, FileRecord>>;
  /** What a writing had still to do when it was cut off. */
  readonly pending: Readonly<Record<string, Pending>>;
}

const FORMAT = 1;
const NOTE = "Made by toolwright. update_project merges newer templates by it: keep it in version control.";

/** Writes down how a project was made. */
export function writeAnswers(project: ProjectFolder, answers: Answers): Promise<void> {
  const { toolchain, madeAt, parameters, files, pending } = answers;
  const written = {
    note: NOTE,
    format: FORMAT,
    toolchain,
    made_at: madeAt.toISOString(),
    parameters,
    files,
    ...(Object.keys(pending).length > 0 && { pending }),
  };
  return project.write(ANSWERS_FILE, `${JSON.stringify(written, undefined, 2)}\n`, {});
}

/** Reads how a project was made; undefined where nothing says so. What was cut off is settled by what lies on the disk. */
export async function readAnswers(project: ProjectFolder): Promise<Answers | undefined> {
  const found = await project.read(ANSWERS_FILE);
  if (found.kind === "nothing") return undefined;
  const answers = found.kind === "text" ? parse(found.text) : undefined;
  if (answers === undefined)
    throw new ToolError(
      `${project.show(ANSWERS_FILE)} cannot be read as the answers of a project. Bring it back from version control, or remove it and scaffold again.`,
      { code: "PARSE_FAILED", details: { path: project.show(ANSWERS_FILE) } },
    );
  return settle(project, answers);
}

async function settle(project: ProjectFolder, answers: Answers): Promise<Answers> {
  const files = { ...answers.files };
  for (const [path, { checksum, record }] of Object.entries(answers.pending)) {
    const found = await project.read(path);
    if (found.kind === "text" && checksumOf(found.text) === checksum) files[path] = record;
  }
  return { ...answers, files };
}

/** Removes what a writing that was cut off has left. */
export async function sweep(project: ProjectFolder, { pending }: Answers): Promise<void> {
  for (const [path, { temporary }] of Object.entries(pending)) await project.removeBeside(path, temporary);
  await project.removeStale();
}

/** The file may have been changed by anybody: what is not as we wrote it is not used. */
function parse(text: string): Answers | undefined {
  try {
    const written = JSON.parse(text) as {
      readonly format: number;
      readonly toolchain: string;
      readonly made_at: string;
      readonly parameters: JsonObject;
      readonly files: Record<string, FileRecord>;
      readonly pending?: Record<string, Pending>;
    };
    const { format, toolchain, parameters, files, pending = {} } = written;
    const madeAt = new Date(written.made_at);
    const records = [...Object.values(files), ...Object.values(pending).map(({ record }) => record)];
    const isRight =
      format === FORMAT &&
      typeof toolchain === "string" &&
      typeof parameters === "object" &&
      parameters !== null &&
      !Number.isNaN(madeAt.getTime()) &&
      [...Object.keys(files), ...Object.keys(pending)].every((path) => projectPathFault(path) === undefined) &&
      records.every(isWhole);
    return isRight ? { toolchain, madeAt, parameters, files, pending } : undefined;
  } catch {
    return undefined;
  }
}

const isWhole = ({ template, checksum, text, made_at: madeAt }: FileRecord): boolean =>
  typeof template === "string" &&
  typeof text === "string" &&
  checksumOf(text) === checksum &&
  (madeAt === undefined || !Number.isNaN(new Date(madeAt).getTime()));

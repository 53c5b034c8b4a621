import { type JsonObject, ToolError } from "@toolwright/engine";
import { ANSWERS_FILE, findPathError } from "../format/project-path.js";
import { checksumOf } from "../rendering/renderer.js";
import type { ProjectFolder } from "./project-folder.js";

/** A file as its template rendered it: the base of the merge of an update. */
export interface FileRecord {
  readonly template: string;
  readonly checksum: string;
  readonly text: string;
  /** The time of its rendering, if it differs from that of the answers. */
  readonly made_at?: string;
}

/** A file that was about to be written. */
export interface PendingFile {
  /** The name of the temporary file beside it. */
  readonly temporary: string;
  /** The checksum of the new content. */
  readonly checksum: string;
  readonly record: FileRecord;
}

/** How a project was made. */
export interface Answers {
  readonly toolchain: string;
  /** The time of the first rendering. */
  readonly madeAt: Date;
  readonly parameters: JsonObject;
  readonly files: Readonly<Record<string, FileRecord>>;
  /** The files that an interrupted write had not finished. */
  readonly pending: Readonly<Record<string, PendingFile>>;
}

const FORMAT = 1;
const NOTE = "Made by toolwright. update_project merges newer templates by it: keep it in version control.";

/** Writes the answers file. */
export function writeAnswers(project: ProjectFolder, answers: Answers): Promise<void> {
  const { toolchain, madeAt, parameters, files, pending } = answers;
  const json = {
    note: NOTE,
    format: FORMAT,
    toolchain,
    made_at: madeAt.toISOString(),
    parameters,
    files,
    ...(Object.keys(pending).length > 0 && { pending }),
  };
  return project.write(ANSWERS_FILE, `${JSON.stringify(json, undefined, 2)}\n`, {});
}

/** Reads the answers file; undefined if there is none. The files on disk decide which pending files were written. */
export async function readAnswers(project: ProjectFolder): Promise<Answers | undefined> {
  const found = await project.read(ANSWERS_FILE);
  if (found.kind === "missing") return undefined;
  const answers = found.kind === "text" ? parseAnswers(found.text) : undefined;
  if (answers === undefined)
    throw new ToolError(
      `${project.display(ANSWERS_FILE)} is not a valid answers file. Restore it from version control, or remove it and scaffold again.`,
      { code: "PARSE_FAILED", details: { path: project.display(ANSWERS_FILE) } },
    );
  const files = { ...answers.files };
  for (const [path, { checksum, record }] of Object.entries(answers.pending)) {
    const pending = await project.read(path);
    if (pending.kind === "text" && checksumOf(pending.text) === checksum) files[path] = record;
  }
  return { ...answers, files };
}

/** Removes the temporary files of an interrupted write. */
export async function removeTemporaryFiles(project: ProjectFolder, { pending }: Answers): Promise<void> {
  for (const [path, { temporary }] of Object.entries(pending)) await project.removeTemporary(path, temporary);
  await project.removeStaleTemporaries();
}

/** Anyone may have edited the file: an invalid one is not used. */
function parseAnswers(text: string): Answers | undefined {
  try {
    const json = JSON.parse(text) as {
      readonly format: number;
      readonly toolchain: string;
      readonly made_at: string;
      readonly parameters: JsonObject;
      readonly files: Record<string, FileRecord>;
      readonly pending?: Record<string, PendingFile>;
    };
    const { format, toolchain, parameters, files, pending = {} } = json;
    const madeAt = new Date(json.made_at);
    const records = [...Object.values(files), ...Object.values(pending).map(({ record }) => record)];
    const isValid =
      format === FORMAT &&
      typeof toolchain === "string" &&
      typeof parameters === "object" &&
      parameters !== null &&
      !Number.isNaN(madeAt.getTime()) &&
      [...Object.keys(files), ...Object.keys(pending)].every((path) => findPathError(path) === undefined) &&
      records.every(isValidRecord);
    return isValid ? { toolchain, madeAt, parameters, files, pending } : undefined;
  } catch {
    return undefined;
  }
}

const isValidRecord = ({ template, checksum, text, made_at: madeAt }: FileRecord): boolean =>
  typeof template === "string" &&
  typeof text === "string" &&
  checksumOf(text) === checksum &&
  (madeAt === undefined || !Number.isNaN(new Date(madeAt).getTime()));

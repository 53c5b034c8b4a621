import type { JsonObject } from "@toolwright/engine";

/** The names of an argument that models know from other servers, by its own name. */
export type OtherNames = Readonly<Record<string, readonly string[]>>;

/** Other names of `path`. */
export const PATH_NAMES = ["file_path", "filePath", "filename", "file"] as const;

/** Other names of the path of a folder. */
export const FOLDER_NAMES = ["directory", "dir_path", "dirPath", "folder", ...PATH_NAMES] as const;

/** Renames arguments to their own names. An argument that has both names is left to the validation, which rejects it. */
export function renameArguments(input: JsonObject, names: OtherNames): JsonObject {
  const renamed = { ...input };
  for (const [name, others] of Object.entries(names)) {
    const other = others.find((candidate) => Object.hasOwn(input, candidate));
    if (other === undefined || Object.hasOwn(input, name)) continue;
    const value = renamed[other];
    delete renamed[other];
    if (value !== undefined) renamed[name] = value;
  }
  return renamed;
}

/** Accepts other names of arguments, and the position that older versions took instead of a cursor. */
export const acceptNames =
  (names: OtherNames, position?: string) =>
  (input: JsonObject): JsonObject => {
    const renamed = renameArguments(input, names);
    if (position === undefined || renamed["cursor"] !== undefined) return renamed;
    const { [position]: start, ...rest } = renamed;
    return typeof start === "number" || typeof start === "string" ? { ...rest, cursor: String(start) } : renamed;
  };

/** The own names of the members of an edit, and those of other servers. */
const EDIT_NAMES: OtherNames = {
  old_string: ["oldString", "old_text", "oldText", "old_str", "oldStr", "old"],
  new_string: ["newString", "new_text", "newText", "new_str", "newStr", "insert_text", "insertText", "new"],
  expected_count: ["expectedCount", "expected_replacements", "expectedReplacements"],
  replace_all: ["replaceAll"],
  start_line: ["startLine"],
  end_line: ["endLine"],
};

const EDIT_MEMBERS = new Set(["insert_line", "insertLine", ...Object.entries(EDIT_NAMES).flat(2)]);

/** Accepts edits in the forms of other servers: other names, a single edit without a list, a list as JSON text. */
export function acceptEdits(input: JsonObject): JsonObject {
  const renamed = renameArguments(input, {
    path: PATH_NAMES,
    dry_run: ["dryRun"],
    expected_hash: ["expectedHash", "hash"],
  });
  if (renamed["edits"] === undefined) {
    const members = Object.entries(renamed);
    const edit = Object.fromEntries(members.filter(([name]) => EDIT_MEMBERS.has(name)));
    if (Object.keys(edit).length === 0) return renamed;
    return { ...Object.fromEntries(members.filter(([name]) => !EDIT_MEMBERS.has(name))), edits: [toEdit(edit)] };
  }
  const edits = parseEdits(renamed["edits"]);
  return {
    ...renamed,
    edits: Array.isArray(edits) ? edits.map((edit) => (isObject(edit) ? toEdit(edit) : edit)) : edits,
  };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseEdits(edits: unknown): JsonObject[string] {
  if (isObject(edits)) return [edits];
  if (typeof edits !== "string") return edits as JsonObject[string];
  try {
    const parsed: unknown = JSON.parse(edits);
    return isObject(parsed) || Array.isArray(parsed) ? parseEdits(parsed) : edits;
  } catch {
    return edits;
  }
}

function toEdit(edit: object): JsonObject {
  const { insert_line: line, ...rest } = renameArguments(edit as JsonObject, {
    ...EDIT_NAMES,
    insert_line: ["insertLine"],
  });
  if (typeof line !== "number") return line === undefined ? rest : { ...rest, insert_line: line };
  return { ...rest, start_line: line + 1, end_line: line };
}

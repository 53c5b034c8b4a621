import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import { walk } from "@toolwright/kit/files";
import { languageOf } from "@toolwright/kit/syntax";
import type { Analysis } from "../analysis.js";
import { readProject } from "../project/read-project.js";
import { toAnalysisCall } from "../schema.js";

const MAX_SUGGESTIONS = 100;

/** Completes paths of folders and source files. */
export async function suggestFiles(analysis: Analysis, call: Call, typed: string): Promise<string[]> {
  const slash = typed.lastIndexOf("/");
  const [folder, start] = [typed.slice(0, slash + 1), typed.slice(slash + 1)];
  const found: string[] = [];
  return orNone(async () => {
    for await (const { kind, name } of walk(await analysis.fileAccess(call), folder === "" ? "." : folder, {
      depth: 1,
    })) {
      const isWanted = kind === "directory" || (kind === "file" && languageOf(name) !== undefined);
      if (isWanted && name.startsWith(start)) found.push(`${folder}${name}${kind === "directory" ? "/" : ""}`);
      if (found.length === MAX_SUGGESTIONS) break;
    }
    return found;
  });
}

/** Completes names of functions in a file, with or without those of their containers. */
export async function suggestFunctions(analysis: Analysis, call: Call, file: string, typed: string): Promise<string[]> {
  if (languageOf(path.basename(file)) === undefined) return [];
  return orNone(async () => {
    const { files } = await readProject(analysis, toAnalysisCall(call), {
      path: file,
      wanted: ["measures"],
      all: true,
    });
    const names = files.flatMap(({ facts }) => facts.measures.functions.map(({ name }) => name));
    const fits = (name: string) => name.startsWith(typed) || name.includes(`.${typed}`);
    return [...new Set(names)].filter(fits).slice(0, MAX_SUGGESTIONS);
  });
}

/** An error is no help while a path is incomplete. */
async function orNone(find: () => Promise<string[]>): Promise<string[]> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

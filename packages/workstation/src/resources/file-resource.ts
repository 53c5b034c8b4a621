import path from "node:path";
import type { Call, ResourceValue } from "@toolwright/engine";
import type { ListedResource } from "@toolwright/engine/types";
import {
  decodeText,
  FolderLists,
  formOf,
  isWithin,
  listFolder,
  mediaType,
  readAt,
  readingOf,
  toFileUri,
  tooLarge,
  walk,
} from "@toolwright/kit/files";
import type { Workstation } from "../workstation.js";
import { MAX_RESOURCE_BYTES } from "./resources.js";

const HEAD_BYTES = 512;
const MAX_LISTED = 100;
const MAX_SUGGESTED = 100;

/** Reads a file as a resource: as text or as bytes. Returns undefined if there is none. */
export async function readFileResource(workstation: Workstation, variable: string, call: Call): Promise<ResourceValue> {
  const access = await workstation.accessFor(call);
  if ((await access.stat(toPath(variable))) === undefined) return undefined;
  await using file = await access.openFile(toPath(variable));
  const reading = readingOf(access, file);
  const displayPath = access.displayPath(file.realPath);
  if (reading.size > MAX_RESOURCE_BYTES)
    throw tooLarge(displayPath, reading.size, MAX_RESOURCE_BYTES, "Read it in pages with fs_read_file.");
  const bytes = await readAt(reading, 0, reading.size);
  const form = formOf(bytes);
  const mimeType = mediaType(file.realPath, bytes.subarray(0, HEAD_BYTES), form !== undefined);
  if (form === undefined) return { mimeType, blob: bytes };
  return { mimeType, text: decodeText(bytes.subarray(form.bomBytes), form.encoding) };
}

/** The variable has no leading slash. A Windows drive needs none. */
const toPath = (variable: string): string => (/^[A-Za-z]:/.test(variable) ? variable : `/${variable}`);

const toVariable = (realPath: string): string => realPath.replaceAll("\\", "/").replace(/^\//, "");

/** Lists the files directly in the roots. */
export async function listFileResources(workstation: Workstation, call: Call): Promise<ListedResource[]> {
  const access = await workstation.accessFor(call);
  const lists = new FolderLists();
  const listings = await Promise.all(
    access.roots.map((root) => listFolder(access, lists, { path: root, sort: "name", offset: 0, limit: MAX_LISTED })),
  );
  return listings.flatMap(({ realPath, entries }) =>
    entries
      // A URI must not contain control characters.
      .filter(({ name, kind }) => kind === "file" && !/\p{Cc}/u.test(name))
      .map(({ name, size, modified }) => ({
        uri: toFileUri(path.join(realPath, name)),
        name: access.displayPath(path.join(realPath, name)),
        ...(size !== undefined && { size }),
        ...(modified !== undefined && { annotations: { lastModified: modified } }),
      })),
  );
}

/** Completes the next name of a path. */
export async function suggestPaths(workstation: Workstation, prefix: string, call: Call) {
  const access = await workstation.accessFor(call);
  const slash = prefix.lastIndexOf("/");
  const folder = path.resolve(toPath(prefix.slice(0, Math.max(slash, 0))));
  if (!access.roots.some((root) => isWithin(root, folder)))
    return access.roots.map((root) => `${toVariable(root)}/`).filter((root) => root.startsWith(prefix));
  const found = await access.stat(folder);
  if (!found?.stats.isDirectory()) return [];
  const values: string[] = [];
  for await (const { name, kind } of walk(access, folder, { depth: 1, ignored: true })) {
    if (!name.startsWith(prefix.slice(slash + 1))) continue;
    values.push(prefix.slice(0, slash + 1) + name + (kind === "directory" ? "/" : ""));
    if (values.length > MAX_SUGGESTED) break;
  }
  return { values: values.slice(0, MAX_SUGGESTED), hasMore: values.length > MAX_SUGGESTED };
}

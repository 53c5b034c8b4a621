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
import { MOST_RESOURCE_BYTES } from "./limits.js";

const HEAD_BYTES = 512;
const MOST_LISTED = 100;
const MOST_SUGGESTED = 100;

/** Reads a file as a resource: as text where it is one, else as bytes; undefined where there is none. */
export async function readFileResource(workstation: Workstation, below: string, call: Call): Promise<ResourceValue> {
  const reach = await workstation.reach(call);
  if ((await reach.stat(toPlace(below))) === undefined) return undefined;
  await using file = await reach.openFile(toPlace(below));
  const reading = readingOf(reach, file);
  const shown = reach.displayPath(file.realPath);
  if (reading.size > MOST_RESOURCE_BYTES)
    throw tooLarge(shown, reading.size, MOST_RESOURCE_BYTES, "Read it by pages with fs_read_file.");
  const bytes = await readAt(reading, 0, reading.size);
  const form = formOf(bytes);
  const mimeType = mediaType(file.realPath, bytes.subarray(0, HEAD_BYTES), form !== undefined);
  if (form === undefined) return { mimeType, blob: bytes };
  return { mimeType, text: decodeText(bytes.subarray(form.bomBytes), form.encoding) };
}

/** The variable has no first slash; a drive of Windows needs none. */
const toPlace = (below: string): string => (/^[A-Za-z]:/.test(below) ? below : `/${below}`);

const toVariable = (place: string): string => place.replaceAll("\\", "/").replace(/^\//, "");

/** The files that lie directly in a root. */
export async function listFileResources(workstation: Workstation, call: Call): Promise<ListedResource[]> {
  const reach = await workstation.reach(call);
  const lists = new FolderLists();
  const listings = await Promise.all(
    reach.roots.map((root) => listFolder(reach, lists, { path: root, sort: "name", offset: 0, limit: MOST_LISTED })),
  );
  return listings.flatMap(({ realPath: place, entries }) =>
    entries
      // No URI may hold a control character.
      .filter(({ name, kind }) => kind === "file" && !/\p{Cc}/u.test(name))
      .map(({ name, size, modified }) => ({
        uri: toFileUri(path.join(place, name)),
        name: reach.displayPath(path.join(place, name)),
        ...(size !== undefined && { size }),
        ...(modified !== undefined && { annotations: { lastModified: modified } }),
      })),
  );
}

/** What the next name of a path may be. */
export async function suggestPaths(workstation: Workstation, typed: string, call: Call) {
  const reach = await workstation.reach(call);
  const slash = typed.lastIndexOf("/");
  const folder = path.resolve(toPlace(typed.slice(0, Math.max(slash, 0))));
  if (!reach.roots.some((root) => isWithin(root, folder)))
    return reach.roots.map((root) => `${toVariable(root)}/`).filter((root) => root.startsWith(typed));
  const found = await reach.stat(folder);
  if (!found?.stats.isDirectory()) return [];
  const values: string[] = [];
  for await (const { name, kind } of walk(reach, folder, { depth: 1, ignored: true })) {
    if (!name.startsWith(typed.slice(slash + 1))) continue;
    values.push(typed.slice(0, slash + 1) + name + (kind === "directory" ? "/" : ""));
    if (values.length > MOST_SUGGESTED) break;
  }
  return { values: values.slice(0, MOST_SUGGESTED), hasMore: values.length > MOST_SUGGESTED };
}

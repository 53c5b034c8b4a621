import path from "node:path";
import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import type { Kind } from "./kind.js";

/** A value whose paths are meant from a folder, with whole paths: they mean the same wherever the server is started. */
export function fromFolder(value: Json, folder: string, kind: Pick<Kind, "isPath" | "isName" | "paths">): Json {
  const { isPath, paths = [] } = kind;
  if (typeof value === "string" && kind.isName?.(value)) return value;
  if (isPath) return resolve(folder, value);
  if (!isObject(value)) return value;
  const found = paths.flatMap((name) =>
    value[name] === undefined ? [] : [[name, resolve(folder, value[name])] as const],
  );
  return { ...value, ...Object.fromEntries(found) };
}

/** A pipe of Windows and what has an address, such as a database, lie in no folder. */
function resolve(folder: string, value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => resolve(folder, each));
  return typeof value !== "string" || /^(?:\\\\|[a-z]{2,}:\/\/)/.test(value) ? value : path.resolve(folder, value);
}

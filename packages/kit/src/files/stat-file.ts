import { realpath, type Stats, stat } from "node:fs";

/** Resolves the links of a path. A start does that, and Node's promises for files take milliseconds to load. */
export const realPath = (place: string): Promise<string> =>
  new Promise((resolve, reject) => {
    realpath.native(place, (error, found) => (error === null ? resolve(found) : reject(error)));
  });

/** Looks at what is at a path, as cheaply. */
export const statFile = (place: string): Promise<Stats> =>
  new Promise((resolve, reject) => {
    stat(place, (error, found) => (error === null ? resolve(found) : reject(error)));
  });

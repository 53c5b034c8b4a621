import { accessSync, constants } from "node:fs";
import path from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser of this machine: that of CHROMIUM_PATH, or one on the PATH; says so where there is none. */
export function findChromium(): string | undefined {
  const given = process.env["CHROMIUM_PATH"];
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const places = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  const found = (given === undefined ? places : [given]).find(isProgram);
  if (found === undefined)
    console.warn("skipped: there is no Chromium on this machine; install one, or name it with CHROMIUM_PATH");
  return found;
}

function isProgram(place: string): boolean {
  try {
    accessSync(place, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { builtFile } from "@toolwright/kit/files";

/** A file that pages load. */
export interface Asset {
  readonly type: string;
  readonly text: string;
}

const TYPES = {
  "page.css": "text/css; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml; charset=utf-8",
} as const;

/** The files of pages, read when the dashboard is created. */
export class Assets {
  readonly #byPath = new Map<string, Asset>();
  /** The path of each file. It changes with the content, so that browsers may keep the file. */
  readonly paths: Readonly<Record<keyof typeof TYPES, string>>;

  constructor() {
    const paths = Object.entries(TYPES).map(([name, type]) => {
      const text = readFileSync(builtFile(`dashboard/${name}`), "utf8");
      const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
      const path = `/assets/${name.replace(".", `-${hash}.`)}`;
      this.#byPath.set(path, { type, text });
      return [name, path];
    });
    this.paths = Object.fromEntries(paths) as Record<keyof typeof TYPES, string>;
  }

  find(path: string): Asset | undefined {
    return this.#byPath.get(path);
  }
}

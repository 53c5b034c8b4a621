import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The command as it is installed. */
export const main = realpathSync(fileURLToPath(new URL("../../dist/main.js", import.meta.url)));

/** What a command gave. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The home of somebody who has some files, and who runs `toolwright` in a project below it. */
export class Home {
  readonly path: string;
  readonly project: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.path = realpathSync(mkdtempSync(path.join(tmpdir(), "toolwright-home-")));
    this.project = path.join(this.path, "app");
    mkdirSync(this.project);
    for (const [file, text] of Object.entries(files)) this.write(file, text);
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
  }

  at(file: string): string {
    return path.join(this.path, file);
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(this.at(file)), { recursive: true });
    writeFileSync(this.at(file), text);
  }

  read(file: string): string {
    return readFileSync(this.at(file), "utf8");
  }

  /** Every file, without those of the project's folder where it is empty. */
  files(): readonly string[] {
    const entries = readdirSync(this.path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(this.path, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  /** Nothing of whoever runs the tests: no programs, no folders of settings. No compiled code is kept in this home. */
  get env(): NodeJS.ProcessEnv {
    return { HOME: this.path, PATH: "", NO_COLOR: "1", NODE_DISABLE_COMPILE_CACHE: "1" };
  }

  run(...words: readonly string[]): Ended {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
      cwd: this.project,
      env: this.env,
      encoding: "utf8",
    });
    return { code: status, out: stdout, err: stderr };
  }
}

/** A file of somebody who uses a client, before or after the server is installed. */
export const fixture = (name: string): string =>
  readFileSync(new URL(`files/${name}.txt`, import.meta.url), "utf8")
    .replaceAll("NODE-PATH", process.execPath)
    .replaceAll("SCRIPT-PATH", main);

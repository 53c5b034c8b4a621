import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Child } from "../../../engine/test/stdio/child.js";
import { folder, main } from "../cli/listening.js";

/** A configuration file of a test, and the commands that read it. */
export class Configured {
  readonly folder: string;
  readonly file: string;

  constructor(content: object | string = {}, name = "toolwright.config.json") {
    this.folder = folder();
    this.file = path.join(this.folder, name);
    this.write(content);
  }

  write(content: object | string): void {
    writeFileSync(this.file, typeof content === "string" ? content : JSON.stringify(content));
  }

  /** Runs a command in the folder of the file, and waits for its end. */
  run(words: string, env: NodeJS.ProcessEnv = {}): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, [main, ...words.split(" ")], {
      cwd: this.folder,
      encoding: "utf8",
      input: "",
      timeout: 20_000,
      env: { ...process.env, ...env },
    });
  }

  /** Serves what the file says. */
  serve(words = "", env: NodeJS.ProcessEnv = {}): Child {
    const more = words === "" ? [] : words.split(" ");
    return new Child(process.execPath, [main, "serve", "--config", this.file, ...more], env);
  }

  /** Writes the file anew, has it read again, and waits until the log says so. */
  async change(child: Child, content: object | string): Promise<string> {
    const from = child.stderr.length;
    this.write(content);
    child.process.kill("SIGHUP");
    await child.until(() => /the configuration was read again.*\n/.test(child.stderr.slice(from)), "a word of it");
    // Rejected calls are logged, too, possibly after their response.
    return child.stderr.slice(from).replaceAll(/^\[WARNING\] .* rejected: .*\n/gm, "");
  }
}

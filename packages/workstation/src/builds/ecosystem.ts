import type { Parser } from "./findings.js";

/** What can be done with a project. */
export type BuildAction = "build" | "test" | "restore" | "lint";

/** A project folder as an ecosystem sees it. */
export interface Project {
  /** The real path. */
  readonly folder: string;
  /** The names in the folder. */
  readonly names: ReadonlySet<string>;
  /** The file that was named instead of the folder, such as a solution. */
  readonly file: string | undefined;
  /** The test to run; undefined: all. */
  readonly test: string | undefined;
  /** Whether packages may be downloaded. */
  readonly isOnline: boolean;
  /** Reads a small file of the folder; undefined if it does not exist. */
  read(name: string): Promise<string | undefined>;
  /** Whether the project has a program, such as `node_modules/.bin/tsc`. */
  hasOwn(program: string): Promise<boolean>;
  /** Whether a program is on the PATH of the server. */
  has(program: string): Promise<boolean>;
}

/** The command for an action. */
export interface Plan {
  /** A name that is looked up on the PATH, or a path inside the project that begins with `./`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly parsers: readonly Parser[];
  /** Used if no other parser has found a failure. */
  readonly fallback?: Parser;
  /** How a person installs the program. */
  readonly install: string;
}

/** A way to build, test, restore and lint projects. */
export interface Ecosystem {
  readonly name: "rust" | "go" | "java" | "dotnet" | "node" | "python" | "make";
  /** The file by which a folder is recognized; undefined: it is no project of this ecosystem. */
  markIn(names: ReadonlySet<string>): string | undefined;
  /** The command; or the reason why there is none, and what to do instead. */
  plan(action: BuildAction, project: Project): Promise<Plan | string>;
}

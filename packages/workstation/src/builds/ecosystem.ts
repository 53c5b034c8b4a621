import { ToolError } from "@toolwright/engine";
import type { Parser } from "./findings.js";

/** What is to be done with a project. */
export type Deed = "build" | "test" | "restore" | "lint";

/** A folder with a project in it, as an ecosystem looks at it. */
export interface Project {
  /** The real path. */
  readonly folder: string;
  /** The names in the folder. */
  readonly names: ReadonlySet<string>;
  /** The file that was named instead of the folder, such as a solution. */
  readonly file: string | undefined;
  /** The tests to run; undefined = all. */
  readonly test: string | undefined;
  /** Whether packages may be fetched. */
  readonly isOnline: boolean;
  /** The text of a small file of the folder; undefined where it is not there. */
  read(name: string): Promise<string | undefined>;
  /** Whether a program of the project itself is there, such as `node_modules/.bin/tsc`. */
  hasOwn(program: string): Promise<boolean>;
  /** Whether a program is on the PATH of the server. */
  has(program: string): Promise<boolean>;
}

/** The command that does a deed. */
export interface Plan {
  /** A name that is looked up on the PATH, or a path inside the project that begins with `./`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly parsers: readonly Parser[];
  /** Asked where none of the others has found a failure. */
  readonly fallback?: Parser;
  /** What a person does when the program is not there. */
  readonly install: string;
}

/** A way to build, test, restore and lint projects. */
export interface Ecosystem {
  readonly name: "rust" | "go" | "java" | "dotnet" | "node" | "python" | "make";
  /** The file that shows that a folder has such a project; undefined = it has none. */
  markIn(names: ReadonlySet<string>): string | undefined;
  /** The command; or why there is none, and what to do instead. */
  plan(deed: Deed, project: Project): Promise<Plan | string>;
}

/** Refuses what would be read as an option instead of the name of a test. */
export function refuseOption(test: string | undefined): void {
  if (test === undefined || (!test.startsWith("-") && !test.includes("\0"))) return;
  throw new ToolError(`Cannot run the test ${JSON.stringify(test)}: a name of a test does not begin with "-".`, {
    code: "INVALID_ARGUMENT",
    details: { test },
  });
}

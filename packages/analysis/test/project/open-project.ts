import type { JsonObject, LogEntry } from "@toolwright/engine";
import type { OnProgress } from "@toolwright/kit/progress";
import { onTestFinished } from "vitest";
import { Analysis, SETTINGS, type Settings } from "../../src/analysis.js";
import type { Fact } from "../../src/facts/facts.js";
import type { Project, ProjectQuery } from "../../src/project/project.js";
import { readProject } from "../../src/project/read-project.js";
import type { WorkersOptions } from "../../src/project/workers.js";
import { filesFor, makeFolder, putFile, workerFile } from "../kit.js";

/** A project in a folder of its own, read as tools read it. */
export interface OpenProject {
  readonly root: string;
  readonly state: string;
  readonly logged: readonly LogEntry[];
  readonly put: (name: string, text: string | Uint8Array) => Promise<void>;
  readonly read: (query?: Partial<ProjectQuery<Fact>>, signal?: AbortSignal) => Promise<Project<Fact>>;
  /** Reads as often as it takes until no file is read again: those that were changed just now are. */
  readonly settle: () => Promise<Project<Fact>>;
  readonly close: () => Promise<void>;
}

/** How a project is opened. */
export interface ProjectOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly settings?: JsonObject;
  readonly root?: string;
  readonly state?: string;
  readonly threads?: Partial<WorkersOptions>;
  readonly hidden?: readonly string[];
  readonly onProgress?: OnProgress;
}

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS.properties).flatMap(([name, about]) => ("default" in about ? [[name, about.default]] : [])),
);

/** Opens a folder with files. */
export async function openProject(options: ProjectOptions = {}): Promise<OpenProject> {
  const { files = {}, settings = {}, hidden = [], threads = {}, onProgress } = options;
  const root = options.root ?? (await makeFolder());
  const state = options.state ?? (await makeFolder());
  for (const [name, text] of Object.entries(files)) await putFile(root, name, text);
  const logged: LogEntry[] = [];
  const host = {
    stateFolder: state,
    files: filesFor(root, state, hidden),
    now: () => new Date(),
    log: (entry: LogEntry) => void logged.push(entry),
  };
  const analysis = new Analysis({
    settings: { ...DEFAULTS, ...settings } as unknown as Settings,
    host,
    threads: { file: await workerFile(), count: 1, ...threads },
  });
  onTestFinished(() => analysis.close());
  const read: OpenProject["read"] = (query = {}, signal = new AbortController().signal) =>
    readProject(
      analysis,
      { signal, supports: () => false, roots: async () => [], onProgress },
      {
        path: ".",
        wanted: ["measures"],
        ...query,
      },
    );
  return {
    root,
    state,
    logged,
    put: (name, text) => putFile(root, name, text),
    read,
    close: () => analysis.close(),
    async settle() {
      for (;;) {
        const project = await read();
        if (project.read === 0) return project;
      }
    },
  };
}

/** The paths of the files of a project. */
export const pathsOf = ({ files }: Project<Fact>): readonly string[] => files.map(({ path }) => path);

import type { JsonObject, LogEntry } from "@toolwright/engine";
import { onTestFinished } from "vitest";
import type { Fact } from "../../src/facts/facts.js";
import { openAnalysis } from "../../src/index.js";
import type { Project, ProjectWish } from "../../src/project/project.js";
import { readProject } from "../../src/project/read-project.js";
import type { WorkersOptions } from "../../src/project/workers.js";
import { SETTINGS, type Settings } from "../../src/settings.js";
import { makeFolder, putFile, workerFile } from "../kit.js";

/** A project in a folder of its own, read as tools read it. */
export interface OpenProject {
  readonly root: string;
  readonly state: string;
  readonly logged: readonly LogEntry[];
  readonly put: (name: string, text: string | Uint8Array) => Promise<void>;
  readonly read: (wish?: Partial<ProjectWish<Fact>>, signal?: AbortSignal) => Promise<Project<Fact>>;
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
  readonly progress?: (value: number, message?: string, total?: number) => void;
}

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS.properties).flatMap(([name, about]) => ("default" in about ? [[name, about.default]] : [])),
);

/** Opens a folder with files. */
export async function openProject(options: ProjectOptions = {}): Promise<OpenProject> {
  const { files = {}, settings = {}, threads = {}, progress = () => undefined } = options;
  const root = options.root ?? (await makeFolder());
  const state = options.state ?? (await makeFolder());
  for (const [name, text] of Object.entries(files)) await putFile(root, name, text);
  const logged: LogEntry[] = [];
  const given = { ...DEFAULTS, client_roots: false, workers: 1, roots: [root], ...settings } as unknown as Settings;
  const host = { log: (entry: LogEntry) => void logged.push(entry) };
  const analysis = await openAnalysis(given, state, host, { file: await workerFile(), ...threads });
  onTestFinished(() => analysis.close());
  const read: OpenProject["read"] = (wish = {}, signal = new AbortController().signal) =>
    readProject(
      analysis,
      { signal, supports: () => false, roots: async () => [], progress },
      {
        path: ".",
        wanted: ["measures"],
        ...wish,
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

import { access, readFile } from "node:fs/promises";
import path from "node:path";
import type { Call } from "@toolwright/engine";
import { builtFile, type FileAccess } from "@toolwright/kit/files";
import type { CommandHost, PackHost } from "@toolwright/kit/pack";
import type { TemplateSource } from "./format/template.js";
import { Library, type UserTemplates } from "./library/library.js";
import { Renderer } from "./rendering/renderer.js";
import type { Sandbox } from "./rendering/sandbox.js";
import type { Settings } from "./settings.js";

/** What the tools and commands of the pack share. */
export interface TemplatesContext {
  readonly library: Library;
  readonly renderer: Renderer;
  readonly now: () => Date;
  /** The files that a call may access. */
  readonly accessFor: (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess>;
}

/** Loads the built-in templates. */
export type LoadCatalogue = () => Promise<readonly TemplateSource[]>;

/** A server, or a command, which has no clients to notify. */
type Host = Pick<CommandHost, "files" | "now" | "log"> &
  Partial<Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged">>;

/** Opens the templates for the pack or for a command. */
export async function openTemplates(
  settings: Settings,
  host: Host,
  load: LoadCatalogue = loadCatalogue,
): Promise<{ readonly context: TemplatesContext; readonly close: () => Promise<void> }> {
  const { templates, sandbox, close } = await openDirectory(settings.directory, host);
  const context = {
    library: new Library(load, templates),
    renderer: new Renderer(sandbox),
    now: reproducibleClock(process.env) ?? host.now,
    accessFor: (call: Parameters<TemplatesContext["accessFor"]>[0]) => host.files.accessFor(call),
  };
  return { context, close };
}

/** The built-in templates, as `compileCatalogue` returned them when the program was built. */
const CATALOGUE_FILE = builtFile("templates/catalogue.json");

/** Loads the built-in templates. */
export const loadCatalogue: LoadCatalogue = async () =>
  JSON.parse(await readFile(CATALOGUE_FILE, "utf8")) as readonly TemplateSource[];

const NO_TEMPLATES: UserTemplates = { templates: [], errors: [] };

/** The templates of the user. */
interface OpenDirectory {
  readonly templates: () => Promise<UserTemplates>;
  readonly sandbox?: Sandbox;
  readonly close: () => Promise<void>;
}

async function openDirectory(setting: string | undefined, host: Host): Promise<OpenDirectory> {
  if (setting === undefined) return { templates: async () => NO_TEMPLATES, close: async () => undefined };
  const directory = path.resolve(setting);
  await access(directory).catch((error: Error) => {
    throw new Error(`settings.directory: cannot open the folder ${directory}: ${error.message}`, { cause: error });
  });
  const notify = (send: () => void): void => {
    try {
      send();
    } catch (error) {
      host.log({ level: "warning", message: "templates: cannot notify clients of changed templates", error });
    }
  };
  const [{ watchDirectory }, { Sandbox: SandboxClass }] = await Promise.all([
    import("./library/watched-directory.js"),
    import("./rendering/sandbox.js"),
  ]);
  const sandbox = new SandboxClass();
  const watched = watchDirectory(directory, sandbox, {
    onListChanged: () => notify(() => host.notifyResourceListChanged?.()),
    onTemplateChanged: (uri) => notify(() => host.notifyResourceUpdated?.(uri)),
    onError: (error) =>
      host.log({ level: "warning", message: `templates: ${setting}/${error.path} is ignored: ${error.message}` }),
  });
  const close = (): Promise<void> => {
    watched.close();
    return sandbox.close();
  };
  return { templates: () => watched.current(), sandbox, close };
}

/** The clock of reproducible builds, if SOURCE_DATE_EPOCH is set. */
function reproducibleClock(env: NodeJS.ProcessEnv): (() => Date) | undefined {
  const seconds = env["SOURCE_DATE_EPOCH"];
  return seconds !== undefined && /^\d{1,11}$/.test(seconds) ? () => new Date(Number(seconds) * 1000) : undefined;
}

import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { notFound } from "../files/errors.js";
import type { FileAccess } from "../files/file-access.js";
import type { OpenFolder } from "../files/open-folder.js";
import { rejectUnlisted } from "./allow-list.js";
import { cleanEnvironment } from "./clean-environment.js";
import { findProgram, isProgram } from "./find-program.js";
import { showCommand } from "./show-command.js";
import { splitCommand } from "./split-command.js";

/** A command as a caller gives it: one of `argv` and `command`. */
export interface CommandRequest {
  readonly argv?: readonly string[] | undefined;
  readonly command?: string | undefined;
  readonly cwd: string;
}

/** A command that may be run, with its folder held open. */
export interface OpenCommand extends AsyncDisposable {
  readonly command: string;
  /** The absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a caller who thinks of a shell should know. */
  readonly note: string | undefined;
}

/** The longest command, in characters. */
const MOST_CHARACTERS = 32_768;

/** Reads a command, and finds its program and folder. Throws a `ToolError` unless an entry of the setting allows it. */
export async function openCommand(
  setting: string,
  entries: readonly (readonly string[])[],
  reach: FileAccess,
  request: CommandRequest,
): Promise<OpenCommand> {
  const { argv, shellWords } = readCommand(request);
  rejectUnlisted(setting, entries, argv, shellWords);
  const folder = await reach.openFolder(request.cwd);
  try {
    return {
      command: showCommand(argv),
      program: await findAllowed(argv[0] ?? "", folder, reach),
      args: argv.slice(1),
      cwd: folder.path,
      env: cleanEnvironment(process.env),
      note:
        shellWords.length === 0
          ? undefined
          : `There is no shell: ${shellWords.slice(0, 5).join(" ")} was given to the program as plain text.`,
      [Symbol.asyncDispose]: () => folder.close(),
    };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

function readCommand({ argv, command }: CommandRequest): ReturnType<typeof splitCommand> {
  if ((argv === undefined) === (command === undefined)) throw wrong("Give either argv or command, and not both.");
  const line = command === undefined ? { argv: argv ?? [], shellWords: [] } : splitCommand(command);
  if (line.argv[0] === undefined || line.argv[0] === "") throw wrong("The command is empty: it needs a program.");
  if (line.argv.some((word) => word.includes("\0"))) throw wrong("A command has no NUL characters in it.");
  if (line.argv.join(" ").length > MOST_CHARACTERS)
    throw wrong(`The command is longer than ${MOST_CHARACTERS} characters. Put what is long into a file.`);
  return line;
}

const wrong = (message: string): ToolError => new ToolError(message, { code: "INVALID_ARGUMENT" });

/** A bare name is found on the PATH; a path, which an entry has named, from the folder of the command on. */
async function findAllowed(name: string, folder: OpenFolder, reach: FileAccess): Promise<string> {
  if (!/[\\/]/.test(name)) {
    const found = await findProgram(name, reach.roots);
    if (found !== undefined) return found;
    throw new ToolError(
      `Cannot run ${name}: it is not installed, or not on the PATH of this server outside of the allowed folders.`,
      {
        code: "UNAVAILABLE",
        details: { program: name },
      },
    );
  }
  const place = path.isAbsolute(name) ? name : (await reach.look(path.resolve(folder.place, name)))?.place;
  if (place !== undefined && (await isProgram(place))) return place;
  throw notFound(name);
}

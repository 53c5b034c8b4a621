import { existsSync } from "node:fs";
import path from "node:path";
import { findProgram, isProgram } from "@toolwright/kit/processes";
import type { KnownServer } from "../clients/configured-servers.js";
import { type Finding, fault, good, warning } from "./finding.js";

/** The findings about an entry in the configuration of a client, without starting anything. */
export interface ConfiguredReport {
  readonly name: string;
  readonly client: string;
  readonly file: string;
  readonly findings: readonly Finding[];
}

/** Checks whether what clients are configured to start exists. */
export async function examineConfigured(servers: readonly KnownServer[]): Promise<readonly ConfiguredReport[]> {
  return Promise.all(
    servers.map(async ({ name, client, file, target }) => {
      const findings = "url" in target ? checkUrl(target.url) : await checkProgram(target);
      return { name, client, file, findings };
    }),
  );
}

/** Folders that version managers add to the PATH of a shell: programs started from the desktop do not have them. */
const VERSION_MANAGER_FOLDER = /[\\/](?:\.?nvm|\.?fnm|fnm_multishells|\.volta|\.asdf|mise|\.nodenv|\.n)[\\/]/;

const ABSOLUTE_PATH_ADVICE = {
  why: "A client that is started from the desktop has another PATH than this shell, and reports only that the connection was closed.",
  next: 'Write the absolute path; "toolwright install" does that.',
};

async function checkProgram({
  command,
  args,
  cwd,
}: {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
}): Promise<readonly Finding[]> {
  const findings: Finding[] = [await checkCommand(command)];
  if (cwd !== undefined && !existsSync(cwd))
    findings.push(
      fault(`Its folder ${cwd} does not exist.`, {
        why: "The client cannot start the server there.",
        next: "Use a folder that exists.",
      }),
    );
  const script = /(?:^|[\\/])(?:node|bun|deno|python3?)(?:\.exe)?$/i.test(command) ? scriptOf(args) : undefined;
  if (script === undefined) return findings;
  const place = path.isAbsolute(script) ? script : cwd === undefined ? undefined : path.resolve(cwd, script);
  if (place === undefined)
    findings.push(
      warning(`The file ${script} is not an absolute path.`, {
        ...ABSOLUTE_PATH_ADVICE,
        why: "Each client starts servers in another folder, where the file does not exist.",
      }),
    );
  else if (!existsSync(place))
    findings.push(
      fault(`The file ${place} does not exist.`, {
        why: "The server exits as soon as it is started.",
        next: 'Install it again; "toolwright install" writes the right path.',
      }),
    );
  return findings;
}

async function checkCommand(command: string): Promise<Finding> {
  const [first = "", ...more] = command.trim().split(/\s+/);
  // The arguments are not shown: they may contain keys.
  if (more.length > 0 && !(await isProgram(command)) && ((await findProgram(first)) ?? (await isProgram(first))))
    return fault(`Its command is ${first} with arguments, which is not the name of a program.`, {
      why: "The client cannot start the server (spawn ENOENT).",
      next: `Keep ${first} in "command", and move the arguments to "args", each as its own string.`,
    });
  if (/[\\/]/.test(command)) {
    if (!path.isAbsolute(command))
      return warning(`The program ${command} is not an absolute path.`, ABSOLUTE_PATH_ADVICE);
    if (!(await isProgram(command)))
      return fault(`The program ${command} does not exist, or cannot be run.`, {
        why: "The client cannot start the server.",
        next: "Use a program that exists.",
      });
    return good(`The program ${command} exists.`);
  }
  const found = await findProgram(command);
  if (found === undefined)
    return fault(`There is no program ${command} on the PATH.`, {
      why: "The client cannot start the server (spawn ENOENT).",
      next: "Install the program, or write its absolute path.",
    });
  const summary = `The program ${command} is only on the PATH of this shell, at ${found}.`;
  return VERSION_MANAGER_FOLDER.test(found)
    ? warning(summary, ABSOLUTE_PATH_ADVICE)
    : good(`The program ${command} is on the PATH, at ${found}.`);
}

/** The script that a runtime runs, if there is one. */
function scriptOf(args: readonly string[]): string | undefined {
  const first = args.find((word) => !word.startsWith("-"));
  const isModule = args.some((word) => ["-m", "-e", "-c", "run", "-p"].includes(word));
  return first !== undefined && !isModule && /\.[cm]?[jt]s$|\.py$|[\\/]/.test(first) ? first : undefined;
}

function checkUrl(url: string): readonly Finding[] {
  if (URL.canParse(url)) return [good("It is a valid URL.")];
  return [
    fault("Its URL is invalid.", {
      why: "The client cannot connect.",
      next: "Use a complete URL, such as https://example.com/mcp.",
    }),
  ];
}

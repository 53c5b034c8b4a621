import { type OptionKind, readWords, UsageError } from "@toolwright/kit/cli";
import { nearest } from "@toolwright/kit/text";
import { GROUPS } from "../../doctor/checks/all.js";
import type { GroupId } from "../../doctor/finding.js";

/** What `toolwright doctor` is told. */
export interface DoctorWords {
  /** URLs, and names out of the configurations of clients. */
  readonly servers: readonly string[];
  /** What follows `--`. */
  readonly command: readonly string[] | undefined;
  readonly only: readonly GroupId[] | undefined;
  readonly responseTimeoutMs: number;
  readonly allowedTool: string | undefined;
  readonly token: string | undefined;
  readonly json: boolean;
  readonly html: string | undefined;
}

const OPTIONS = {
  "--call": { value: "the name of a tool" },
  "--only": { value: "a group", isList: true },
  "--timeout": { value: "seconds" },
  "--token-env": { value: "the name of an environment variable" },
  "--json": {},
  "--html": { value: "a file" },
} as const satisfies Record<string, OptionKind>;

const RESPONSE_TIMEOUT_SECONDS = 10;

/** Reads what follows `doctor`. Throws `UsageError` that names the word at fault. */
export function readDoctorWords(words: readonly string[], env: NodeJS.ProcessEnv): DoctorWords {
  const at = words.indexOf("--");
  const servers: string[] = [];
  const given = readWords<keyof typeof OPTIONS>(at === -1 ? words : words.slice(0, at), OPTIONS, servers);
  const command = at === -1 ? undefined : words.slice(at + 1);
  if (command?.length === 0) throw new UsageError("-- needs a command that starts a server");
  const seconds = Number(given["--timeout"]?.[0] ?? RESPONSE_TIMEOUT_SECONDS);
  if (!(seconds > 0 && seconds <= 600)) throw new UsageError("--timeout needs seconds, such as 30");
  return {
    servers,
    command,
    only: given["--only"]?.map(readGroup),
    responseTimeoutMs: seconds * 1000,
    allowedTool: given["--call"]?.[0],
    token: given["--token-env"] && readToken(given["--token-env"][0] ?? "", env),
    json: given["--json"] !== undefined,
    html: given["--html"]?.[0],
  };
}

function readGroup(name: string): GroupId {
  const all = Object.keys(GROUPS) as GroupId[];
  const found = all.find((group) => group === name);
  if (found !== undefined) return found;
  const meant = nearest(name, all);
  throw new UsageError(
    `--only ${name} is unknown; ${meant === undefined ? `there are ${all.join(", ")}` : `did you mean ${meant}?`}`,
  );
}

function readToken(name: string, env: NodeJS.ProcessEnv): string {
  const token = env[name]?.trim() ?? "";
  if (token === "") throw new UsageError(`--token-env: the environment has no ${name}, or it is empty`);
  return token;
}

import { type OptionKind, readWords, UsageError } from "@toolwright/kit/cli";
import { type Reach, readReach } from "../target.js";

/** The ways over which this build can be played against. */
const TRANSPORTS = ["stdio", "http", "ws", "socket", "memory"] as const;

/** How this build is reached. */
export type OwnTransport = (typeof TRANSPORTS)[number];

/** What `toolwright replay` is told. */
export interface ReplayWords {
  readonly file: string;
  /** How to talk to the server. */
  readonly options: Reach["options"];
  /** The server to play against; undefined = this build itself. */
  readonly target: Reach["target"] | undefined;
  readonly transport: OwnTransport;
  readonly session: number | undefined;
  readonly ignore: readonly string[];
  readonly skipRedacted: boolean;
  readonly json: boolean;
}

const PASSED_ON = ["--sse", "--socket", "--token-env", "--revision", "--timeout"] as const;
const OPTIONS = {
  "--sse": { value: "a URL" },
  "--socket": { value: "a path" },
  "--token-env": { value: "the name of an environment variable" },
  "--revision": { value: "a date" },
  "--timeout": { value: "seconds" },
  "--transport": { value: TRANSPORTS.join(", ") },
  "--session": { value: "a number" },
  "--ignore": { value: "a path", isList: true },
  "--skip-redacted": {},
  "--json": {},
} as const satisfies Record<string, OptionKind>;

/** Reads what follows `replay`. Throws `UsageError` that names the word at fault. */
export function readReplayWords(words: readonly string[], env: NodeJS.ProcessEnv): ReplayWords {
  const at = words.indexOf("--");
  const command = at === -1 ? [] : words.slice(at);
  const plain: string[] = [];
  const given = readWords<keyof typeof OPTIONS>(at === -1 ? words : words.slice(0, at), OPTIONS, plain);
  const [file, url, extra] = plain;
  if (file === undefined) throw new UsageError("replay needs the file of a recording");
  if (extra !== undefined) throw new UsageError(`"${extra}" is unknown`);
  if (url !== undefined && !/^(?:https?|wss?):\/\//i.test(url)) throw new UsageError(`"${url}" is no URL of a server`);
  const isOwn = url === undefined && at === -1 && given["--sse"] === undefined && given["--socket"] === undefined;
  const passed = PASSED_ON.flatMap((name) => (given[name] ?? []).map((value) => `${name}=${value}`));
  // Whoever plays against this build gives no address, but its options are read in the same way.
  const { reach } = readReach(
    [...passed, ...(url === undefined ? [] : [url]), ...(isOwn ? ["--", "serve"] : command)],
    {},
    env,
  );
  return {
    file,
    options: reach.options,
    target: isOwn ? undefined : reach.target,
    transport: readTransport(given["--transport"]?.[0], isOwn),
    session: readSession(given["--session"]?.[0]),
    ignore: given["--ignore"] ?? [],
    skipRedacted: given["--skip-redacted"] !== undefined,
    json: given["--json"] !== undefined,
  };
}

function readTransport(name: string | undefined, isOwn: boolean): OwnTransport {
  if (name === undefined) return "stdio";
  const found = TRANSPORTS.find((transport) => transport === name);
  if (found === undefined) throw new UsageError(`--transport ${name} is unknown; there are ${TRANSPORTS.join(", ")}`);
  if (!isOwn)
    throw new UsageError("--transport says how this build is reached; a server that is given has its own way");
  return found;
}

function readSession(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--session needs the number of a conversation, such as 1");
  return Number(text);
}

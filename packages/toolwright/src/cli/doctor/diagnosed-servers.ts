import { Failure } from "@toolwright/kit/cli";
import type { Subject } from "../../doctor/context.js";
import { type Examination, notReached } from "../../doctor/diagnose.js";
import { type OwnServer, openOwnServer } from "../replay/own-server.js";
import { type KnownServers, pickServer, searchClients } from "../use/find-server.js";
import { concealing } from "../use/show-target.js";

/** A server to diagnose, and how to remove its secrets from a text. */
export interface DiagnosedServer {
  readonly subject: Subject;
  readonly conceal: (text: string) => string;
}

interface ServerNames {
  readonly names: readonly string[];
  readonly command: readonly string[] | undefined;
  readonly token: string | undefined;
}

const unchanged = (text: string): string => text;

/** The servers that the command line names. Throws a failure for a name that no client has. */
export async function findDiagnosedServers(
  { names, command, token }: ServerNames,
  env: NodeJS.ProcessEnv,
): Promise<readonly DiagnosedServer[]> {
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const conceal = token === undefined ? unchanged : (text: string) => text.replaceAll(token, "[redacted]");
  const found: DiagnosedServer[] = [];
  for (const word of names) {
    if (!/^https?:\/\//i.test(word)) found.push(fromClient(word, env, await searchClients(env)));
    else if (!URL.canParse(word)) throw new Failure(`"${word}" is not a URL`, 2);
    else found.push({ subject: { name: new URL(word).host, url: word, ...(headers && { headers }) }, conceal });
  }
  const [program, ...args] = command ?? [];
  if (program !== undefined) {
    const name = [program, ...args].join(" ");
    found.push({
      subject: { name: name.length > 60 ? `…${name.slice(-59)}` : name, command: program, args, env },
      conceal: unchanged,
    });
  }
  return found;
}

function fromClient(name: string, env: NodeJS.ProcessEnv, searched: KnownServers): DiagnosedServer {
  const { target } = pickServer({ name, isOfProject: false }, searched);
  const conceal = concealing(target);
  if (!("url" in target)) return { subject: { name, ...target, env: { ...env, ...target.env } }, conceal };
  if (target.transport === "sse")
    throw new Failure(
      `"${name}" uses HTTP+SSE, which the doctor does not check. Use its Streamable HTTP URL, if it has one`,
      2,
    );
  return { subject: { name, url: target.url, ...(target.headers && { headers: target.headers }) }, conceal };
}

/** This build over one transport, with an empty state folder; if it does not start, the report of that. */
export async function openOwn(
  transport: "stdio" | "http",
  version: string,
): Promise<(DiagnosedServer & Pick<OwnServer, "close">) | Examination> {
  const name = "toolwright serve";
  let server: OwnServer;
  try {
    server = await openOwnServer(transport, version);
  } catch (error) {
    return notReached({ name, transport, target: `${name} --${transport}` }, `${(error as Error).message}.`);
  }
  const { target } = server;
  const close = (): Promise<void> => server.close();
  if ("command" in target)
    return {
      subject: { name, command: target.command, args: target.args ?? [], env: process.env },
      conceal: unchanged,
      close,
    };
  if ("url" in target) return { subject: { name, url: String(target.url) }, conceal: unchanged, close };
  throw new Failure(`toolwright serve cannot be checked over ${transport}`, 3);
}

import { Failure } from "@toolwright/kit/cli";
import type { KnownServer } from "../../clients/configured-servers.js";
import { didYouMean, nearOf } from "./near.js";

/** What is looked for in the files of clients. */
export interface Wanted {
  /** `NAME`, or `CLIENT:NAME`. */
  readonly name: string;
  /** Only servers of this project will do. */
  readonly isOfProject: boolean;
}

/** Where servers were looked for, for whoever finds none. */
export interface Searched {
  readonly servers: readonly KnownServer[];
  readonly files: readonly string[];
  readonly faults: readonly { readonly file: string; readonly reason: string }[];
}

/** The server that a name stands for. Throws a failure that names the candidates, or says where was looked. */
export function pickServer({ name, isOfProject }: Wanted, searched: Searched): KnownServer {
  const named = searched.servers.filter((server) => server.name === name || longName(server) === name);
  const ofUser = named.filter(({ scope }) => scope === "user");
  const ofProject = named.filter(({ scope }) => scope === "project");
  // What a project's file starts is code of that project, so the user's own files come first.
  const candidates = isOfProject || ofUser.length === 0 ? ofProject : ofUser;
  const [first, ...others] = candidates;
  if (first === undefined) throw unknown(name, isOfProject && ofUser.length > 0, searched);
  // Many people tell every client of the same server.
  const other = others.find(({ target }) => JSON.stringify(target) !== JSON.stringify(first.target));
  if (other !== undefined) throw new Failure(ambiguous(name, candidates), 2);
  return first;
}

/** The name of a server with that of the client before it. */
const longName = ({ client, name }: KnownServer): string => `${client}:${name}`;

function ambiguous(name: string, candidates: readonly KnownServer[]): string {
  const lines = candidates.map((server) => `  ${longName(server)}  ${server.file}`);
  const isOneClient = new Set(candidates.map(longName)).size === 1;
  const next = isOneClient ? "Take one of them out, or give the command or URL itself" : "Say which, with its client";
  return `Several different servers are called "${name}". ${next}:\n${lines.join("\n")}`;
}

function unknown(name: string, isOfUser: boolean, { servers, files, faults }: Searched): Failure {
  if (isOfUser)
    return new Failure(`No file of this project has a server "${name}"; one of yours has. Leave out --project`, 2);
  const names = servers.flatMap((server) => (name.includes(":") ? [longName(server)] : [server.name]));
  const looked = files.length === 0 ? "No client has a configuration file here" : `Looked in:\n${indent(files)}`;
  const unread = faults.map(({ file, reason }) => `${file}: ${reason}`);
  return new Failure(
    [
      `There is no server "${name}" in the configuration of any client${didYouMean(nearOf(name, names)) || "."}`,
      looked,
      ...(unread.length === 0 ? [] : [`Could not be read:\n${indent(unread)}`]),
      'Give a URL, -- COMMAND, or one of the names that "toolwright list" shows.',
    ].join("\n"),
    2,
  );
}

const indent = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import type { Entry, ProgramTarget, Target } from "./client.js";
import type { Surroundings } from "./environment.js";

type Fields = Readonly<Record<string, unknown>>;

/** What a client has written down about a server, whichever client it is; undefined = that is no server. */
export function readEntry(entry: unknown, env: NodeJS.ProcessEnv = {}): Target | undefined {
  if (!isObject(entry)) return undefined;
  const url = [entry["httpUrl"], entry["serverUrl"], entry["url"], entry["uri"]].find((each) => isText(each));
  const program = readProgram(entry);
  if (program !== undefined) return program;
  if (!isText(url)) return undefined;
  const headers = { ...textsOf(entry["headers"] ?? entry["http_headers"]), ...headersOf(entry, env) };
  return {
    url,
    transport: isEventStream(entry, url) ? "sse" : "http",
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** A command is a text, a list with its arguments, or an object (Zed, in its older versions). */
function readProgram(entry: Fields): Target | undefined {
  const given = entry["command"] ?? entry["cmd"];
  if (isObject(given)) return readProgram({ command: given["path"], args: given["args"], env: given["env"] });
  const [command, ...first] = Array.isArray(given) ? given.filter(isText) : [given];
  if (!isText(command)) return undefined;
  const args = [...first.filter(isText), ...listOf(entry["args"])];
  const env = textsOf(entry["env"] ?? entry["environment"] ?? entry["envs"]);
  const cwd = entry["cwd"];
  return { command, args, ...(Object.keys(env).length > 0 && { env }), ...(isText(cwd) && { cwd }) };
}

/** Codex names variables where others have the values. */
function headersOf(entry: Fields, env: NodeJS.ProcessEnv): Record<string, string> {
  const named = Object.entries(textsOf(entry["env_http_headers"]));
  const found = named.flatMap(([name, variable]) => (env[variable] === undefined ? [] : [[name, env[variable]]]));
  const bearer = entry["bearer_token_env_var"];
  const token = isText(bearer) ? env[bearer] : undefined;
  return { ...Object.fromEntries(found), ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}

function isEventStream(entry: Fields, url: string): boolean {
  if (entry["type"] === "sse" || entry["transport"] === "sse") return true;
  return entry["type"] === undefined && entry["httpUrl"] === undefined && /\/sse\/?$/.test(url);
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isScalar = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);
const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(isScalar).map(String) : []);

function textsOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (isScalar(each) ? [[name, String(each)]] : [])),
  );
}

/** Puts in what clients put in for `${NAME}`, `${NAME:-other}`, `${env:NAME}`, `{env:NAME}` and a few folders; what is not known stays. */
export function expandTarget(target: Target, at: Surroundings): Target {
  const expand = (text: string): string => expandText(text, at);
  const all = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, expand(value)]));
  if ("url" in target)
    return { ...target, url: expand(target.url), ...(target.headers && { headers: all(target.headers) }) };
  return {
    ...target,
    command: expand(target.command),
    args: target.args.map(expand),
    ...(target.env && { env: all(target.env) }),
    ...(target.cwd !== undefined && { cwd: expand(target.cwd) }),
  };
}

const REFERENCE = /\$\{(?:env:)?([\w.]+)(?::-([^}]*))?\}|\{env:(\w+)\}/g;

function expandText(text: string, { env, folder, home }: Surroundings): string {
  return text.replaceAll(REFERENCE, (whole, name?: string, other?: string, second?: string) => {
    if (name === "workspaceFolder") return folder;
    if (name === "userHome") return home;
    return env[name ?? second ?? ""] ?? other ?? whole;
  });
}

/** What most clients write of a program. */
function programEntry({ command, args, env, cwd }: ProgramTarget): Entry {
  return { command, args: [...args], ...(env && { env }), ...(cwd !== undefined && { cwd }) };
}

/** Writes servers as most clients have them: `command` with `args`, or an address under the key that the client has for it. */
export const usualEntry =
  (urlKey = "url") =>
  (_name: string, target: Target): Entry =>
    "command" in target
      ? programEntry(target)
      : { [urlKey]: target.url, ...(target.headers && { headers: target.headers }) };

/** The same where the client wants to be told which kind of server it is. */
export const typedEntry =
  (http: string) =>
  (_name: string, target: Target): Entry =>
    "command" in target
      ? { type: "stdio", ...programEntry(target) }
      : {
          type: target.transport === "http" ? http : "sse",
          url: target.url,
          ...(target.headers && { headers: target.headers }),
        };

/** Only programs can be written. */
export const programOnly = (_name: string, target: Target): Entry | undefined =>
  "command" in target ? programEntry(target) : undefined;

/** opencode has one list for the command and its arguments. */
export function opencodeEntry(_name: string, target: Target): Entry {
  if (!("command" in target))
    return { type: "remote", url: target.url, ...(target.headers && { headers: target.headers }) };
  const { command, args, env, cwd } = target;
  return {
    type: "local",
    command: [command, ...args],
    ...(env && { environment: env }),
    ...(cwd !== undefined && { cwd }),
  };
}

/** Codex speaks no HTTP+SSE. */
export function codexEntry(_name: string, target: Target): Entry | undefined {
  if ("command" in target) return programEntry(target);
  return target.transport === "sse"
    ? undefined
    : { url: target.url, ...(target.headers && { http_headers: target.headers }) };
}

/** Goose calls servers extensions. */
export function gooseEntry(name: string, target: Target): Entry {
  const start = { enabled: true, name, description: "" };
  if (!("command" in target)) {
    const type = target.transport === "http" ? "streamable_http" : "sse";
    return { ...start, type, uri: target.url, ...(target.headers && { headers: target.headers }), timeout: 300 };
  }
  const { command, args, env } = target;
  return { ...start, type: "stdio", cmd: command, args: [...args], ...(env && { envs: env }), timeout: 300 };
}

/** Keys that say how a server is reached; an old one must not stand beside a new one that says something else. */
const REACHING = new Set(["command", "cmd", "args", "cwd", "type", "transport", "url", "httpUrl", "serverUrl", "uri"]);

/** Keys that stay with an address, and mean nothing beside a program. */
const OF_ADDRESSES = new Set(["headers", "http_headers", "env_http_headers", "bearer_token_env_var"]);

/** Keys that stay with a program. */
const OF_PROGRAMS = new Set(["env", "environment", "envs", "env_keys"]);

/** Keys whose members are variables, of which each is set by itself. */
const VARIABLES = new Set(["env", "environment", "envs"]);

/** Keys that the user may have changed since, and that are written only where they are missing. */
const ONCE = new Set(["enabled", "timeout", "description", "name"]);

/** What a server's entry becomes: how it is reached is new; what the user has set beside that stays. */
export function mergeEntry(old: Readonly<Record<string, unknown>>, wanted: Entry): Record<string, Json> {
  const isAddress = Object.keys(wanted).some((key) => ["url", "httpUrl", "serverUrl", "uri"].includes(key));
  const strays = isAddress ? OF_PROGRAMS : OF_ADDRESSES;
  const merged: Record<string, Json> = {};
  for (const [key, value] of Object.entries(old)) {
    const isGone = REACHING.has(key) || strays.has(key);
    const given = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    if (given !== undefined) merged[key] = mergeValue(key, value as Json, given);
    else if (!isGone) merged[key] = value as Json;
  }
  for (const [key, value] of Object.entries(wanted)) if (!Object.hasOwn(merged, key)) merged[key] = value;
  return merged;
}

function mergeValue(key: string, old: Json, wanted: Json): Json {
  if (ONCE.has(key)) return old;
  return VARIABLES.has(key) && isObject(old) && isObject(wanted) ? { ...old, ...wanted } : wanted;
}

import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import type { Entry, ProgramTarget, Target } from "./client.js";
import type { ClientEnvironment } from "./environment.js";

type Fields = Readonly<Record<string, unknown>>;

/** Reads the configuration of a server of any client; undefined if it is not one. */
export function readEntry(entry: unknown, env: NodeJS.ProcessEnv = {}): Target | undefined {
  if (!isObject(entry)) return undefined;
  const url = [entry["httpUrl"], entry["serverUrl"], entry["url"], entry["uri"]].find((each) => isNonEmptyString(each));
  const program = readProgram(entry);
  if (program !== undefined) return program;
  if (!isNonEmptyString(url)) return undefined;
  const headers = { ...toStrings(entry["headers"] ?? entry["http_headers"]), ...headersOf(entry, env) };
  return {
    url,
    transport: isEventStream(entry, url) ? "sse" : "http",
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** The command is a string, a list with its arguments, or an object (in older versions of Zed). */
function readProgram(entry: Fields): Target | undefined {
  const given = entry["command"] ?? entry["cmd"];
  if (isObject(given)) return readProgram({ command: given["path"], args: given["args"], env: given["env"] });
  const [command, ...first] = Array.isArray(given) ? given.filter(isNonEmptyString) : [given];
  if (!isNonEmptyString(command)) return undefined;
  const args = [...first.filter(isNonEmptyString), ...toList(entry["args"])];
  const env = toStrings(entry["env"] ?? entry["environment"] ?? entry["envs"]);
  const cwd = entry["cwd"];
  return { command, args, ...(Object.keys(env).length > 0 && { env }), ...(isNonEmptyString(cwd) && { cwd }) };
}

/** Codex has the names of environment variables instead of values. */
function headersOf(entry: Fields, env: NodeJS.ProcessEnv): Record<string, string> {
  const named = Object.entries(toStrings(entry["env_http_headers"]));
  const found = named.flatMap(([name, variable]) => (env[variable] === undefined ? [] : [[name, env[variable]]]));
  const bearer = entry["bearer_token_env_var"];
  const token = isNonEmptyString(bearer) ? env[bearer] : undefined;
  return { ...Object.fromEntries(found), ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}

function isEventStream(entry: Fields, url: string): boolean {
  if (entry["type"] === "sse" || entry["transport"] === "sse") return true;
  return entry["type"] === undefined && entry["httpUrl"] === undefined && /\/sse\/?$/.test(url);
}

const isNonEmptyString = (value: unknown): value is string => typeof value === "string" && value !== "";
const isScalar = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);
const toList = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(isScalar).map(String) : []);

function toStrings(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (isScalar(each) ? [[name, String(each)]] : [])),
  );
}

/** Expands `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `{env:NAME}` and folder variables as clients do; unknown ones are left unchanged. */
export function expandTarget(target: Target, at: ClientEnvironment): Target {
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

function expandText(text: string, { env, folder, home }: ClientEnvironment): string {
  return text.replaceAll(REFERENCE, (whole, name?: string, other?: string, second?: string) => {
    if (name === "workspaceFolder") return folder;
    if (name === "userHome") return home;
    return env[name ?? second ?? ""] ?? other ?? whole;
  });
}

/** The entry of a program in most clients. */
function programEntry({ command, args, env, cwd }: ProgramTarget): Entry {
  return { command, args: [...args], ...(env && { env }), ...(cwd !== undefined && { cwd }) };
}

/** The entry of most clients: `command` with `args`, or a URL under the key of the client. */
export const defaultEntry =
  (urlKey = "url") =>
  (_name: string, target: Target): Entry =>
    "command" in target
      ? programEntry(target)
      : { [urlKey]: target.url, ...(target.headers && { headers: target.headers }) };

/** The same with a `type`. */
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

/** The entry of a client that supports only programs. */
export const programOnly = (_name: string, target: Target): Entry | undefined =>
  "command" in target ? programEntry(target) : undefined;

/** The entry of opencode: the command and its arguments are one list. */
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

/** The entry of Codex, which does not support HTTP+SSE. */
export function codexEntry(_name: string, target: Target): Entry | undefined {
  if ("command" in target) return programEntry(target);
  return target.transport === "sse"
    ? undefined
    : { url: target.url, ...(target.headers && { http_headers: target.headers }) };
}

/** The entry of Goose, which calls servers extensions. */
export function gooseEntry(name: string, target: Target): Entry {
  const start = { enabled: true, name, description: "" };
  if (!("command" in target)) {
    const type = target.transport === "http" ? "streamable_http" : "sse";
    return { ...start, type, uri: target.url, ...(target.headers && { headers: target.headers }), timeout: 300 };
  }
  const { command, args, env } = target;
  return { ...start, type: "stdio", cmd: command, args: [...args], ...(env && { envs: env }), timeout: 300 };
}

/** Keys of the command or URL. Old ones are removed, because they would contradict the new ones. */
const CONNECTION_KEYS = new Set([
  "command",
  "cmd",
  "args",
  "cwd",
  "type",
  "transport",
  "url",
  "httpUrl",
  "serverUrl",
  "uri",
]);

/** Keys that apply only to URLs. */
const URL_KEYS = new Set(["headers", "http_headers", "env_http_headers", "bearer_token_env_var"]);

/** Keys that apply only to programs. */
const PROGRAM_KEYS = new Set(["env", "environment", "envs", "env_keys"]);

/** Keys with environment variables, which are merged. */
const ENVIRONMENT_KEYS = new Set(["env", "environment", "envs"]);

/** Keys that are written only if they are missing, because the user may have changed them. */
const DEFAULT_KEYS = new Set(["enabled", "timeout", "description", "name"]);

/** Updates the entry of a server, and keeps the other settings of the user. */
export function mergeEntry(old: Readonly<Record<string, unknown>>, wanted: Entry): Record<string, Json> {
  const isAddress = Object.keys(wanted).some((key) => ["url", "httpUrl", "serverUrl", "uri"].includes(key));
  const strays = isAddress ? PROGRAM_KEYS : URL_KEYS;
  const merged: Record<string, Json> = {};
  for (const [key, value] of Object.entries(old)) {
    const isGone = CONNECTION_KEYS.has(key) || strays.has(key);
    const given = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    if (given !== undefined) merged[key] = mergeValue(key, value as Json, given);
    else if (!isGone) merged[key] = value as Json;
  }
  for (const [key, value] of Object.entries(wanted)) if (!Object.hasOwn(merged, key)) merged[key] = value;
  return merged;
}

function mergeValue(key: string, old: Json, wanted: Json): Json {
  if (DEFAULT_KEYS.has(key)) return old;
  return ENVIRONMENT_KEYS.has(key) && isObject(old) && isObject(wanted) ? { ...old, ...wanted } : wanted;
}

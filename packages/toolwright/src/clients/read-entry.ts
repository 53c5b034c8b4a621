import { isObject } from "@toolwright/kit/json";
import type { Target } from "./client.js";

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

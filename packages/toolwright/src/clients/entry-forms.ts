import type { Entry, ProgramTarget, Target } from "./client.js";

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

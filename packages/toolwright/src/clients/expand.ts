import type { Target } from "./client.js";
import type { Surroundings } from "./surroundings.js";

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

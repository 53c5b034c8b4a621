import { type Config, calledBy, type Entry } from "./config.js";
import type { Key } from "./settings.js";

/** What has no meaning where nobody listens on the network. */
const OVER_THE_WEB: readonly Key[] = [
  "http.path",
  "http.publicUrl",
  "http.allowedHosts",
  "http.allowedOrigins",
  "http.trustProxy",
  "http.tls.cert",
  "http.tls.key",
  "auth.apiKeyFile",
  "auth.issuer",
  "auth.audience",
  "auth.scopes",
];

/** Half of a thing is a mistake wherever it stands, and with some of them a dangerous one. */
const HALVES: readonly (readonly [key: Key, others: readonly Key[]])[] = [
  ["http.tls.cert", ["http.tls.key"]],
  ["http.tls.key", ["http.tls.cert"]],
  ["auth.audience", ["auth.issuer"]],
  ["auth.scopes", ["auth.issuer", "auth.apiKeyFile", "auth.apiKey"]],
  ["rate.burst", ["rate.perSecond"]],
  ["rate.perSecond", ["rate.burst"]],
  ["rate.over", ["rate.perSecond"]],
  ["perPrincipal.rate.burst", ["perPrincipal.rate.perSecond"]],
  ["perPrincipal.rate.perSecond", ["perPrincipal.rate.burst"]],
  ["perPrincipal.rate.over", ["perPrincipal.rate.perSecond"]],
  ["audit.maxBytes", ["audit.file"]],
  ["audit.keep", ["audit.file"]],
  ["audit.onFailure", ["audit.file"]],
  ["record.maxBytes", ["record.file"]],
  ["record.keep", ["record.file"]],
];

/** Says which settings lack another one beside them. */
export function findNeeds(config: Config): string[] {
  const needs = (key: Key, others: readonly Key[]): string[] =>
    isGiven(config, key) && !others.some((other) => isGiven(config, other)) ? [lack(config, key, others)] : [];
  // A file may prepare for what it is not used for today; an option that would change nothing is a mistake.
  const asked = (key: Key, others: readonly Key[]): string[] =>
    config.entries.get(key)?.source.from === "flag" ? needs(key, others) : [];
  return [
    ...asked("http.sse", ["http.listen"]),
    ...asked("metrics", ["http.listen"]),
    ...OVER_THE_WEB.flatMap((key) => asked(key, ["http.listen", "ws"])),
    ...HALVES.flatMap(([key, others]) => needs(key, others)),
    ...findNothing(config),
  ];
}

function findNothing(config: Config): string[] {
  if (config.entries.get("stdio")?.value !== false) return [];
  const others: readonly Key[] = ["http.listen", "ws", "socket"];
  return others.some((key) => isGiven(config, key))
    ? []
    : [`${calledBy(config, "stdio")} is false, and nothing else is served`];
}

function isGiven({ entries }: Config, key: Key): boolean {
  const { value, source } = entries.get(key) as Entry;
  return source.from !== "default" && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** In the words of whoever gave the one: options where it is an option. */
function lack(config: Config, key: Key, others: readonly Key[]): string {
  const isFlag = calledBy(config, key).startsWith("--") && !calledBy(config, key).startsWith("--set");
  const names = others.flatMap((other) => (isFlag ? (config.table.get(other)?.flag ?? []) : other));
  return `${calledBy(config, key)} needs ${(names.length > 0 ? names : others).join(" or ")} beside it`;
}

import type { Json } from "@toolwright/engine";
import {
  address,
  choice,
  count,
  folders,
  hidden,
  type Kind,
  list,
  names,
  onOff,
  packSettings,
  place,
  positive,
  secret,
  text,
  wordList,
} from "./kind.js";
import { limitSettings } from "./limit-settings.js";
import type { Setting, Table } from "./setting.js";

const setting = <Value extends Json>(
  kind: Kind<Value>,
  about: string,
  more: Omit<Setting<Value>, "kind" | "about"> = {},
): Setting<Value> => ({ kind, about, ...more });

const MIB = 1024 * 1024;
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

const SETTINGS = {
  stdio: setting(onOff, "serves stdin and stdout", { flag: "--stdio", unset: "true where nothing else is served" }),
  "http.listen": setting(address, "serves HTTP; `true` = at 127.0.0.1:3000", {
    flag: "--http",
    env: "TOOLWRIGHT_HTTP",
    default: false,
  }),
  "http.sse": setting(onOff, "HTTP+SSE beside HTTP, for clients of the oldest revision", {
    flag: "--sse",
    default: false,
  }),
  "http.path": setting(text("a path"), "where MCP is spoken", { flag: "--path", default: "/mcp" }),
  "http.publicUrl": setting(text("a URL"), "what clients reach, if a proxy stands in front", { flag: "--public-url" }),
  "http.allowedHosts": setting(list("a name"), "further names under which clients reach the server, or `*`", {
    flag: "--allow-host",
    default: [],
  }),
  "http.allowedOrigins": setting(list("an origin"), "web pages that may call, or `*`", {
    flag: "--allow-origin",
    default: [],
  }),
  "http.trustProxy": setting(list("an address or a network"), "proxies whose word on who calls is believed", {
    flag: "--trust-proxy",
    default: [],
  }),
  "http.tls.cert": setting(place("a file"), "certificate (PEM), to speak TLS", { flag: "--tls-cert", isLive: true }),
  "http.tls.key": setting(place("a file"), "the key of the certificate (PEM)", { flag: "--tls-key", isLive: true }),
  "http.rate.burst": setting(count, "requests of one client at once", { default: 1000 }),
  "http.rate.perSecond": setting(positive, "requests of one client each second", { default: 100 }),
  "http.dashboard": setting(onOff, "tasks and calls as web pages at `/`, beside HTTP", { default: true }),
  "http.writeToken": setting(secret, "what unlocks changes on these pages, 16 characters or more", {
    env: "TOOLWRIGHT_WRITE_TOKEN",
    isSecret: true,
  }),
  ws: setting(address, "serves WebSocket; `true` = at the address of HTTP", { flag: "--ws", default: false }),
  socket: setting(place("a path"), "serves a Unix socket, or a named pipe", { flag: "--socket" }),
  "auth.apiKeyFile": setting(place("a file"), "only clients with one of these keys", {
    flag: "--api-key-file",
    isLive: true,
  }),
  "auth.apiKey": setting(secret, "a key itself, as good as one in the file", {
    env: "TOOLWRIGHT_API_KEY",
    isSecret: true,
    isLive: true,
  }),
  "auth.issuer": setting(text("a URL"), "only clients with a token of this authorization server", { flag: "--issuer" }),
  "auth.audience": setting(list("a URI"), "what tokens must be made out to, any of them", {
    flag: "--audience",
    unset: "the public URL",
  }),
  "auth.scopes": setting(list("a scope"), "what every token or key must have, all of them", {
    flag: "--scope",
    default: [],
  }),
  state: setting(place("a folder"), "where tasks are kept", {
    flag: "--state",
    unset: "the user's folder for state",
  }),
  "files.roots": setting(folders, "the folders that tools can read and change", {
    flag: "--root",
    unset: "the current folder",
    isLive: true,
  }),
  "files.hidden": setting(list("a glob"), "paths that are never shown, read or changed, such as `**/.env`", {
    flag: "--hide",
    default: [],
    isLive: true,
  }),
  "files.readOnly": setting(list("a glob"), "paths that can be read and not changed, such as `vendor/**`", {
    flag: "--protect",
    default: [],
    isLive: true,
  }),
  "files.clientRoots": setting(onOff, "the roots of a client narrow the folders; they never widen them", {
    default: true,
    isLive: true,
  }),
  "files.timeoutMs": setting(count, "the time limit for one operation of the file system, in milliseconds", {
    default: 10_000,
    isLive: true,
  }),
  packModules: setting({ ...list("a module"), isPath: true }, "modules with packs of others, which run as part of it", {
    flag: "--pack",
    default: [],
  }),
  legacyCodes: setting(choice("paiml", "rag", "ancplua"), "the error numbers of an older server, for old clients", {
    unset: "none",
  }),
  "rate.burst": setting(count, "tool calls at once, of all clients", { unset: "no bound", isLive: true }),
  "rate.perSecond": setting(positive, "tool calls each second, of all clients", { unset: "no bound", isLive: true }),
  "rate.over": setting(choice("delay", "reject"), "what happens to a call over the rate", {
    default: "delay",
    isLive: true,
  }),
  "perPrincipal.calls": setting(count, "calls of one principal that run at once", { unset: "no bound" }),
  "perPrincipal.rate.burst": setting(count, "tool calls at once, of one principal", { unset: "no bound" }),
  "perPrincipal.rate.perSecond": setting(positive, "tool calls each second, of one principal", { unset: "no bound" }),
  "perPrincipal.rate.over": setting(choice("delay", "reject"), "what happens to a call over that rate", {
    default: "delay",
  }),
  telemetry: setting(onOff, "traces and measures requests, where the process has loaded OpenTelemetry", {
    default: true,
  }),
  metrics: setting(onOff, "tells Prometheus what the server counts, over HTTP at `/metrics`", {
    flag: "--metrics",
    default: false,
  }),
  "log.level": setting(choice(...LEVELS), "the least severe lines that are written to stderr", {
    flag: "--log-level",
    default: "notice",
    isLive: true,
  }),
  "log.format": setting(choice("text", "json"), "lines for people, or a JSON object a line", {
    flag: "--log-format",
    default: "text",
    isLive: true,
  }),
  "audit.file": setting(place("a file"), "where a line for each tool call is written", { flag: "--audit" }),
  "audit.maxBytes": setting(count, "the size at which the next file is begun", { default: 10 * MIB }),
  "audit.keep": setting(count, "full files that are kept beside it", { default: 5 }),
  "audit.onFailure": setting(choice("continue", "refuse"), "what happens to calls where no line can be written", {
    default: "continue",
  }),
  "record.file": setting(place("a file"), "where all messages are recorded, without secrets; `%p` = process id", {
    flag: "--record",
  }),
  "record.maxBytes": setting(count, "the size at which the next file is begun", { default: 10 * MIB }),
  "record.keep": setting(count, "files that there are at most", { default: 3 }),
  "redact.names": setting(names, "further names of secrets, or patterns such as `/^x-.*-id$/i`", { default: [] }),
  "redact.values": setting(hidden, "texts that must never be seen in logs, recordings and the audit log", {
    default: [],
    isSecret: true,
  }),
  "tools.toolsets": setting(
    wordList("a toolset"),
    "lists these toolsets; the name of a pack stands for all of its own",
    {
      flag: "--toolsets",
      unset: "default",
      isLive: true,
    },
  ),
  "tools.names": setting(wordList("a tool"), "lists these tools, beside those of the toolsets that are given", {
    flag: "--tools",
    default: [],
    isLive: true,
  }),
  "tools.without": setting(wordList("a tool"), "tools that are neither listed nor can be called", {
    flag: "--without-tools",
    default: [],
    isLive: true,
  }),
  "tools.readOnly": setting(onOff, "only tools that say that they change nothing", {
    flag: "--read-only",
    default: false,
    isLive: true,
  }),
  "tools.all": setting(onOff, "lists every tool, also those that `default` leaves out", {
    flag: "--all-tools",
    default: false,
    isLive: true,
  }),
  "tools.progressive": setting(onOff, "lists three tools, which find, describe and call the others", {
    flag: "--progressive",
    default: false,
    isLive: true,
  }),
} as const;

/** The settings that every server has, but for its packs and limits. */
export type Key = keyof typeof SETTINGS;

/** What a setting holds. */
export type ValueOf<Name extends Key> = (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never;

/** Every setting of a server with these packs, in the order in which they are shown. */
export function createTable(packs: readonly string[]): Table {
  const rows: readonly [string, Setting<boolean>][] = packs.map((name) => [
    `packs.${name}`,
    {
      kind: packSettings as Kind<boolean>,
      about: "the pack: off, on, or on with its settings",
      default: true,
      isLive: true,
    },
  ]);
  return new Map<string, unknown>([...Object.entries(SETTINGS), ...rows, ...limitSettings]) as Table;
}

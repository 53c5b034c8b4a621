import { revisions } from "@toolwright/engine";
import { choice, choices, count, integer, list, onOff, positive, text } from "./kind.js";
import { anyObject, anyValue, either, object, record, toggle } from "./object-kinds.js";
import { setting } from "./setting.js";

/** From the least to the most severe. */
export const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

const cacheHint = object({ ttlMs: positive, scope: choice("public", "private") });
const override = object({
  name: text("a name"),
  description: text("a text"),
  input: anyObject("a JSON Schema"),
  result: either(text("the name of a member"), list("the name of a member")),
});

/** How the server presents itself and speaks the protocol. */
export const PROTOCOL_SETTINGS = {
  "server.name": setting(text("a name"), "the name of the server", { default: "toolwright" }),
  "server.version": setting(text("a version"), "the version of the server", { unset: "that of toolwright" }),
  "server.title": setting(text("a title"), "the name that people see", {
    unset: "Toolwright, unless `server.name` is set",
  }),
  "server.description": setting(text("a text"), "what the server is for, for clients whose revision has it"),
  "server.websiteUrl": setting(text("a URL"), "the website of the server, for clients whose revision has it"),
  "server.instructions": setting(text("a text"), "what a model should know before it uses the tools"),
  "protocol.revisions": setting(
    choices(...revisions.map(({ version }) => version)),
    "the protocol revisions that are served",
    { unset: "all" },
  ),
  "protocol.features": setting(
    choices("tools", "resources", "prompts", "completions", "logging"),
    "the features that the server has; the methods of others are not found",
    { unset: "all" },
  ),
  "protocol.includeServerInfo": setting(onOff, "name the server in each result of the stateless revision", {
    default: true,
  }),
  "protocol.listCache": setting(
    object({ tools: cacheHint, prompts: cacheHint, resources: cacheHint, resourceTemplates: cacheHint }),
    "how long (`ttlMs`) and by whom (`scope`: public or private) each list may be cached",
    { unset: "not cached" },
  ),
  "protocol.keepAlive": setting(
    toggle({ intervalMs: positive, timeoutMs: positive }),
    "ping clients that have done a handshake, and disconnect those that do not answer; an object with `intervalMs` and `timeoutMs`",
    { default: false },
  ),
  "protocol.clientLog": setting(
    onOff,
    "tell clients that have set a log level about their own calls, what is rejected, and changes of their session",
    { default: false },
  ),
  tasks: setting(
    toggle({ promoteAfterMs: positive, ttlMs: positive, maxTtlMs: positive, pollMs: positive, graceMs: positive }),
    "continue long calls as tasks, for clients that can follow them; an object with `promoteAfterMs`, `ttlMs`, `maxTtlMs`, `pollMs` and `graceMs`",
    { default: true },
  ),
  largeResults: setting(
    toggle({ budgetBytes: count, ttlMs: positive, memoryBytes: count, maxResults: count }),
    "truncate results that are too large for a model, and keep the whole to be read in parts; an object with `budgetBytes`, `ttlMs`, `memoryBytes` and `maxResults`",
    { default: true },
  ),
  recorder: setting(
    toggle({ frames: count, characters: count }),
    "keep the last messages in memory, for diagnosis; an object with `frames` and `characters`",
    { default: true },
  ),
} as const;

/** What exists only for clients that were written against a server with other rules. */
export const COMPAT_SETTINGS = {
  "compat.lifecycle": setting(
    choice("tolerant", "strict", "strict-ping", "off"),
    "requests before `notifications/initialized` are served, rejected but for pings, rejected, or served even without `initialize`",
    { default: "tolerant" },
  ),
  "compat.capabilities": setting(
    anyObject("an object"),
    "the capabilities that are announced in place of those that the server has",
    { unset: "those of the server" },
  ),
  "compat.missingId": setting(
    choice("ignore", "reject"),
    "a request without an id is ignored like a notification, or rejected",
    { default: "ignore" },
  ),
  "compat.validationErrors": setting(
    choice("result", "by-revision", "protocol"),
    "report invalid arguments as a tool result, as the client's revision says, or as a protocol error",
    { default: "result" },
  ),
  "compat.errors": setting(
    record("kinds of errors", object({ code: integer, message: text("a text"), data: anyValue })),
    "how errors are written, by their kinds: an object with `code`, `message` and `data`",
    { unset: "as the specification says" },
  ),
  "compat.batch": setting(
    choice("auto", "always", "never"),
    "where batches are served: in the revisions that have them, always, or never",
    { default: "auto" },
  ),
  "compat.inputAliases": setting(onOff, "read `protocol_version` and `client_info` in `initialize`", { default: true }),
  "compat.snakeCaseVersion": setting(
    text("a version"),
    "the protocol version in which clients are served that write `initialize` in snake_case",
    { unset: "they are served as all others" },
  ),
  "compat.directToolMethods": setting(
    either(onOff, choice("bare")),
    "serve a method with the name of a tool as a call of that tool; `bare`: with its structured content as the result",
    { default: false },
  ),
  "compat.toolLists": setting(
    choice("full", "plain"),
    "what listed tools have: all that their revision has, or only name, description and input schema",
    { default: "full" },
  ),
  "compat.toolResults": setting(
    choice("full", "plain", "content", "string"),
    "what tool results have: all that their revision has, only content and `isError`, only content, or content that is one string",
    { default: "full" },
  ),
  "compat.rejectionLevel": setting(choice(...LOG_LEVELS), "the level at which rejected messages and calls are logged", {
    default: "warning",
  }),
} as const;

/** How tools are listed, and how their arguments are treated. */
export const TOOL_SETTINGS = {
  "tools.vendorSchemas": setting(onOff, "rewrite listed schemas for clients whose vendor rejects them as they are", {
    default: true,
  }),
  "tools.onInvalidTool": setting(
    choice("throw", "skip"),
    "a tool that cannot be registered fails the start, or is left out",
    {
      default: "skip",
    },
  ),
  "tools.correctArguments": setting(onOff, "correct arguments whose meaning is certain, with a notice in the result", {
    default: true,
  }),
  "tools.unknownArguments": setting(
    choice("reject", "allow"),
    "what happens with arguments that a tool does not know",
    {
      default: "reject",
    },
  ),
  "tools.overrides": setting(
    record("the names of tools", override),
    "what is said about tools in place of their definitions, by their names: `name`, `description`, `input`, `result`",
    { unset: "nothing" },
  ),
} as const;

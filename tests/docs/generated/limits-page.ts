import { DEFAULT_LIMITS } from "@toolwright/engine";
import { DEFAULT_HTTP_LIMITS } from "@toolwright/engine/http";
import { packSchemas } from "../../../packages/toolwright/src/cli/pack-settings.js";
import { HTTP_LIMITS, SERVER_LIMITS, WORKSTATION_LIMITS } from "./limit-words.js";
import { GENERATED, page, quantity, table } from "./markdown.js";

const HEAD = ["limit", "default", "applies to", "when exceeded"];

/** One row for each limit; a limit without a description shows as such. */
function rowsOf(defaults: object, words: Readonly<Record<string, readonly [string, string]>>): string[][] {
  return Object.entries(defaults as Record<string, number>).map(([name, value]) => [
    `\`${name}\``,
    quantity(name, value),
    ...(words[name] ?? [`${name} is undocumented`, ""]),
  ]);
}

/** docs/reference/limits.md */
export async function writeLimitsPage(): Promise<string> {
  const { properties } = (await packSchemas()).get("packs.workstation") as {
    readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
  };
  const ofWorkstation = Object.entries(properties)
    .filter(([name]) => /(?:Ms|Bytes|Days)$/.test(name))
    .map(([name, { default: value }]) => [name, value]);
  return page(
    "# Limits",
    GENERATED,
    "Everything that a client, a model or a tool can use up is limited. When a limit is exceeded, the request is rejected or stopped with an\nerror that names the limit in its member `limit`, and the next message is served.",
    "## Limits of the server",
    "`createServer({ limits: { callTimeoutMs: 5_000 } })` changes one limit and keeps the others; for `toolwright serve` they are\n[settings](configuration.md#limits). Each must be a positive number. Times are in milliseconds, at most 2<sup>31</sup> - 1.",
    table(HEAD, rowsOf(DEFAULT_LIMITS, SERVER_LIMITS)),
    "These are unlimited by default:",
    table(
      ["option", "applies to", "when exceeded"],
      [
        [
          "`limits.rate`",
          "calls, as a token bucket",
          "the call waits, or an error result, code `RATE_LIMITED`, that says when to retry",
        ],
        ["`limits.requestRate`", "requests of any kind of one session", "-32600 with `retryAfterMs`"],
        [
          "`calls` and `rate` of a tool",
          "its own calls",
          "as for `limits.rate`; calls of other tools are not affected",
        ],
        ["`limits.perPrincipal`", "the calls of one principal", "the same; calls of other principals are not affected"],
      ],
    ),
    "These are fixed:",
    table(
      ["what", "limit", "when exceeded"],
      [
        ["nesting of JSON", "256 levels", "-32700"],
        ["members of all objects of one message to the server", "100,000", "-32700"],
        ["values of one message to the server, such as items of lists", "500,000", "-32700"],
        ["a schema", "64 levels, 10,000 subschemas", "the tool is rejected at start"],
        ["lifetime of a request state", "1 h", "-32602"],
        ["a URI", "8,192 characters", "-32602"],
        ["a URI template", "2,048 characters, 32 expressions", "the template is rejected at start"],
        [
          "parents of a resource that are notified of its change",
          "32; a folder with and without its slash counts as two",
          "parents further up are not notified",
        ],
        ["suggestions of one completion", "100", "the rest is omitted, and the result says that there is more"],
        ["URL elicitations of a session", "1,000", "the oldest is dropped: `completeElicitation` notifies nobody"],
        ["principals in memory", "10,000", "the oldest are dropped, unless they have running or waiting calls"],
      ],
    ),
    "[Tasks](../guides/tasks.md#the-store) and [large results](../guides/large-results.md) have limits of their own.",
    "## Limits of HTTP",
    "`serveHttp(server, { limits: { sessions: 500 } })` changes one limit and keeps the others. They apply in addition to those of the server.",
    table(HEAD, [
      ...rowsOf(DEFAULT_HTTP_LIMITS, HTTP_LIMITS),
      ["`rate`, an option", "bursts of 1,000, 100 per second", "requests of one client", "429 with `Retry-After`"],
      ["a body", "`messageBytes`", "one request", "413"],
      [
        "a Unix socket",
        "128 clients, 4 MiB each",
        "clients, and unsent data for each",
        "the new client, or the slow one, is disconnected",
      ],
    ]),
    "## Limits of the workstation",
    "Limits with a name are [settings of the pack](configuration.md#settings-of-packs).",
    table(HEAD, [
      ...rowsOf(Object.fromEntries(ofWorkstation) as object, WORKSTATION_LIMITS),
      ["a git command", "120 s", "one run of git", "it is terminated with all of its processes"],
      ["concurrent programs", "32", "programs that a model has started", "an error until one has ended"],
      ["logs of ended programs", "32, for 1 h", "their output", "the oldest are deleted"],
      [
        "a file as a resource",
        "4 MiB",
        "a file that a client reads as a resource",
        "an error; `fs_read_file` reads it in pages",
      ],
      ["a result", "about 40 KB", "the result of one call", "it names the arguments that continue it"],
      ["a version query", "10 s", "asking a program for its version", "the version is omitted"],
      [
        "environment variables",
        "24,000 characters, 500 of each",
        "the listed variables",
        "the rest is omitted and counted",
      ],
    ]),
  );
}

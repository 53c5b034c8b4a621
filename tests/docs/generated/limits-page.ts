import { DEFAULT_HTTP_LIMITS, DEFAULT_LIMITS } from "@toolwright/engine";
import { packSchemas } from "../../../packages/toolwright/src/cli/pack-settings.js";
import { HTTP_LIMITS, SERVER_LIMITS, WORKSTATION_LIMITS } from "./limit-words.js";
import { GENERATED, page, quantity, table } from "./markdown.js";

const HEAD = ["limit", "default", "bounds", "over it"];

/** One row for each limit that there is; a limit without words shows as such. */
function rowsOf(defaults: object, words: Readonly<Record<string, readonly [string, string]>>): string[][] {
  return Object.entries(defaults as Record<string, number>).map(([name, value]) => [
    `\`${name}\``,
    quantity(name, value),
    ...(words[name] ?? [`nobody has said what ${name} bounds`, ""]),
  ]);
}

/** docs/reference/limits.md */
export async function writeLimitsPage(): Promise<string> {
  const { properties } = (await packSchemas()).get("packs.workstation") as {
    readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
  };
  const ofWorkstation = Object.entries(properties)
    .filter(([name]) => /_(?:ms|bytes|days)$/.test(name))
    .map(([name, { default: usual }]) => [name, usual]);
  return page(
    "# Limits",
    GENERATED,
    "Everything that a client, a model or a tool can use up has a bound. What goes over one is refused or cut off with words that name the\nlimit, and the next message is served. In errors and failed results it is the member `limit`, under the same name.",
    "## Limits of the server",
    "`createServer({ limits: { callTimeoutMs: 5_000 } })` changes one and leaves the others; for `toolwright serve` they are\n[settings](configuration.md#limits). Each must be a positive number. Times are in milliseconds, at most 2<sup>31</sup> - 1.",
    table(HEAD, rowsOf(DEFAULT_LIMITS, SERVER_LIMITS)),
    "Without a bound unless one is set:",
    table(
      ["option", "bounds", "over it"],
      [
        [
          "`rate`",
          "calls, as a token bucket",
          "the call waits, or an error result, code `RATE_LIMITED`, that says when to try again",
        ],
        ["`calls` and `rate` of a tool", "its own calls", "the same; calls of other tools go on"],
        ["`perPrincipal`", "the calls of one principal", "the same; calls of other principals go on"],
      ],
    ),
    "Not to be changed:",
    table(
      ["what", "bound", "over it"],
      [
        ["levels to which JSON nests", "256", "-32700"],
        ["a schema", "64 levels, 10,000 subschemas", "the tool is refused at start"],
        ["the state of a question", "1 h", "-32602"],
        ["a URI", "8,192 characters", "-32602"],
        ["a URI template", "2,048 characters, 32 expressions", "the family is refused at start"],
        [
          "parents of a resource that hear of its change",
          "32, a folder with and without its slash being two",
          "those further up are not told",
        ],
        ["suggestions of one completion", "100", "the rest is left out, and the client is told that there is more"],
        ["visits that a session remembers", "1,000", "the oldest is forgotten: `visitDone` tells nobody"],
        [
          "principals that are remembered",
          "10,000",
          "those that came first are forgotten, unless they have calls that run or wait",
        ],
      ],
    ),
    "[Tasks](../guides/tasks.md#the-store) and [kept results](../guides/results.md) have bounds of their own.",
    "## Limits of HTTP",
    "`serveHttp(server, { limits: { sessions: 500 } })` changes one and leaves the others; they come on top of those above.",
    table(HEAD, [
      ...rowsOf(DEFAULT_HTTP_LIMITS, HTTP_LIMITS),
      ["`rate`, an option", "1,000 at once, 100 a second", "requests of one client", "429 with `Retry-After`"],
      ["a body", "`messageBytes`", "one request", "413"],
      [
        "a Unix socket",
        "128 clients, 4 MiB for each",
        "clients, and what waits for one",
        "the new client, or the slow one, is closed",
      ],
    ]),
    "## Limits of the workstation",
    "Those with a name are [settings of the pack](configuration.md#settings-of-packs).",
    table(HEAD, [
      ...rowsOf(Object.fromEntries(ofWorkstation) as object, WORKSTATION_LIMITS),
      ["one git", "120 s", "a git that was started", "it ends with all that it has started"],
      ["programs at once", "32", "programs that a model has started", "an error until one has ended"],
      ["logs of ended programs", "32, for 1 h", "what they have printed", "the oldest are forgotten"],
      [
        "a file as a resource",
        "4 MiB",
        "a file that a client reads as one",
        "an error; `fs_read_file` gives it in pages",
      ],
      ["a result", "about 40 KB", "what a model is shown at once", "it goes on with the arguments that it names"],
      ["a version", "10 s", "asking a program for it", "it is not told"],
      [
        "environment variables",
        "24,000 characters, 500 of each",
        "those that are shown",
        "the rest is left out, and counted",
      ],
    ]),
  );
}

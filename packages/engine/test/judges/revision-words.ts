type JsonObject = Readonly<Record<string, unknown>>;

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;
type Revision = (typeof revisions)[number];

/** A place in a message, and the first and last revision whose servers may write it. */
interface Word {
  /** Members joined by `>`. `*` is any one member or item, a leading `**` any number of them; `type=x` is a member with that value. */
  readonly at: string;
  readonly first: Revision;
  readonly last: Revision;
  /** The rule holds only where this is true of the object that has the member. */
  readonly where?: (owner: JsonObject) => boolean;
}

const newest = "2026-07-28";
const from = (first: Revision, ...places: string[]): Word[] => places.map((at) => ({ at, first, last: newest }));
const until = (last: Revision, ...places: string[]): Word[] => places.map((at) => ({ at, first: "2024-11-05", last }));
const only = (revision: Revision, ...places: string[]): Word[] =>
  places.map((at) => ({ at, first: revision, last: revision }));

const own = "io.modelcontextprotocol/";

// The path of a request or notification starts with its method, followed by its params; of an answer, with `result` or `error`.
const words: readonly Word[] = [
  // Methods a server sends.
  ...until("2025-11-25", "request>ping", "request>roots/list", "request>sampling/createMessage"),
  { at: "request>elicitation/create", first: "2025-06-18", last: "2025-11-25" },
  ...only("2025-11-25", "notification>notifications/elicitation/complete", "notification>notifications/tasks/status"),
  ...only("2025-11-25", "request>tasks/get", "request>tasks/result", "request>tasks/list", "request>tasks/cancel"),
  ...only("2026-07-28", "notification>notifications/subscriptions/acknowledged", "notification>notifications/tasks"),

  // Envelope and metadata.
  ...only("2026-07-28", "result>resultType", "result>ttlMs", "result>cacheScope", "result>supportedVersions"),
  ...only("2026-07-28", "result>inputRequests", "result>requestState"),
  ...only("2026-07-28", `**>_meta>${own}serverInfo`, `**>_meta>${own}subscriptionId`, "**>subscriptionId"),
  ...only("2026-07-28", `**>_meta>${own}protocolVersion`, `**>_meta>${own}clientCapabilities`),
  ...only("2026-07-28", `**>_meta>${own}clientInfo`, `**>_meta>${own}logLevel`),
  ...only("2025-11-25", `**>_meta>${own}related-task`, `**>_meta>${own}model-immediate-response`),
  ...until("2025-11-25", "result>serverInfo", "result>protocolVersion"),

  // Capabilities.
  ...from("2025-03-26", "result>capabilities>completions"),
  ...only("2025-11-25", "result>capabilities>tasks"),
  ...from("2025-11-25", "result>capabilities>extensions"),

  // Who the server is.
  ...from("2025-06-18", "result>serverInfo>title"),
  ...from("2025-11-25", "result>serverInfo>icons", "result>serverInfo>description", "result>serverInfo>websiteUrl"),

  // Tools, resources, templates, prompts.
  ...from("2025-03-26", "result>tools>*>annotations"),
  ...from("2025-06-18", "result>tools>*>title", "result>tools>*>outputSchema", "result>tools>*>_meta"),
  ...from("2025-11-25", "result>tools>*>icons"),
  ...only("2025-11-25", "result>tools>*>execution"),
  ...["resources", "resourceTemplates", "prompts"].flatMap((list) => [
    ...from("2025-06-18", `result>${list}>*>title`, `result>${list}>*>_meta`),
    ...from("2025-11-25", `result>${list}>*>icons`),
  ]),
  ...from("2025-06-18", "result>prompts>*>arguments>*>title", "result>contents>*>_meta"),

  // Content.
  ...from("2025-06-18", "result>structuredContent"),
  ...only("2025-11-25", "result>task"),
  ...["result>content>*", "result>messages>*>content"].flatMap((block) => [
    ...from("2025-03-26", `${block}>type=audio`),
    ...from("2025-06-18", `${block}>type=resource_link`, `${block}>_meta`, `${block}>resource>_meta`),
    ...from("2025-11-25", `${block}>icons`),
  ]),
  ...from("2025-06-18", "**>annotations>lastModified"),

  // Notifications and questions.
  ...from("2025-03-26", "notifications/progress>message"),
  ...from(
    "2025-11-25",
    "elicitation/create>mode",
    "elicitation/create>url",
    "elicitation/create>requestedSchema>$schema",
  ),
  ...only("2025-11-25", "**>elicitationId", "elicitation/create>task", "sampling/createMessage>task"),
  ...from("2025-11-25", "sampling/createMessage>tools", "sampling/createMessage>toolChoice"),
  ...["oneOf", "anyOf", "items"].flatMap((keyword) => {
    return from("2025-11-25", `elicitation/create>requestedSchema>properties>*>${keyword}`);
  }),
  {
    at: "elicitation/create>requestedSchema>properties>*>default",
    first: "2025-11-25",
    last: newest,
    where: (owner) => owner["type"] !== "boolean",
  },
];

// What lies below these is the author's or the user's and belongs to no revision.
const payload = new Set([
  "structuredContent",
  "arguments",
  "inputSchema",
  "outputSchema",
  "data",
  "experimental",
  "extensions",
]);

/** Lists the words of other revisions in a message that a server sends: members, kinds, methods and error codes. */
export function leaks(revision: string, message: unknown): string[] {
  if (Array.isArray(message)) return message.flatMap((one: unknown) => leaks(revision, one));
  if (!isObject(message)) return [];
  const found: string[] = [];
  const { method, params, result, error } = message;
  if (typeof method === "string") {
    report(["id" in message ? "request" : "notification", method], message);
    if (isObject(params)) walk([method], params);
  }
  if (isObject(result)) walk(["result"], result);
  if (isObject(error) && typeof error["code"] === "number" && !mayHaveCode(revision, error["code"])) {
    found.push(`error code ${error["code"]}`);
  }
  return found;

  function walk(path: readonly string[], value: unknown): void {
    if (Array.isArray(value)) for (const item of value) walk([...path, "*"], item);
    if (!isObject(value)) return;
    for (const [member, inside] of Object.entries(value)) {
      const here = [...path, member];
      report(here, value);
      if (member === "type" && typeof inside === "string") report([...path, `type=${inside}`], value);
      // Members of `_meta` are the author's below their names; the arguments of a listed prompt are a list, and ours.
      const isPayload = payload.has(member) && !(member === "arguments" && Array.isArray(inside));
      if (!isPayload && path.at(-1) !== "_meta") walk(here, inside);
    }
  }

  function report(path: readonly string[], owner: JsonObject): void {
    const foreign = words.some(
      (word) => isAt(word.at, path) && !belongs(word, revision) && (word.where?.(owner) ?? true),
    );
    if (foreign) found.push(path.join(">"));
  }
}

function belongs({ first, last }: Word, revision: string): boolean {
  return first <= revision && revision <= last;
}

function isAt(place: string, path: readonly string[]): boolean {
  const steps = place.split(">");
  const anywhere = steps[0] === "**";
  const rest = anywhere ? steps.slice(1) : steps;
  const tail = anywhere ? path.slice(-rest.length) : path;
  return tail.length === rest.length && rest.every((step, index) => step === "*" || step === tail[index]);
}

// -32020 to -32022 came with 2026-07-28, which forbids every other code of -32099 to -32000 (RPC-17).
function mayHaveCode(revision: string, code: number): boolean {
  const modern = code <= -32020 && code >= -32022;
  if (revision !== newest) return !modern && (code !== -32042 || revision === "2025-11-25");
  return modern || code < -32099 || code > -32000;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

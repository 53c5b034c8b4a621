/** The responses that a line requires: how many with which id, and how many without an id. */
export interface ExpectedResponses {
  /** Ids, as JSON text, that must be answered exactly once. */
  readonly ids: string[];
  /** Ids that may be answered once, or rejected without an id. */
  readonly optional: string[];
  /** The minimum and maximum number of rejections without an id. */
  min: number;
  max: number;
}

/** A request that was sent. */
export interface SentRequest {
  readonly method: string;
  readonly isModern: boolean;
}

type JsonObject = Record<string, unknown>;

const modernKeys = ["protocolVersion", "clientCapabilities"].map((name) => `io.modelcontextprotocol/${name}`);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The nesting depth of a JSON value. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  while (level.length > 0) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    depth += 1;
  }
  return depth - 1;
}

/** The responses that a line of text requires by the rules of JSON-RPC, and the requests in it. */
export function expectedResponses(
  text: string,
  isBatching: boolean,
  onRequest: (id: unknown, asked: SentRequest) => void,
): ExpectedResponses {
  const expected: ExpectedResponses = { ids: [], optional: [], min: 0, max: 0 };
  const reject = () => {
    expected.min += 1;
    expected.max += 1;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    reject();
    return expected;
  }
  const isDeep = depthOf(value) > 256;
  if (isDeep || (Array.isArray(value) && (!isBatching || value.length === 0 || value.length > 100))) reject();
  else for (const one of Array.isArray(value) ? value : [value]) addExpected(one, expected, reject, onRequest);
  return expected;
}

function addExpected(
  value: unknown,
  expected: ExpectedResponses,
  reject: () => void,
  onRequest: (id: unknown, asked: SentRequest) => void,
): void {
  if (!isObject(value)) {
    reject();
    return;
  }
  const { id, method, params } = value;
  const isResponse = method === undefined && ("result" in value || "error" in value);
  if (id === undefined) {
    // A notification is never answered; anything else without an id may be rejected.
    if (typeof method !== "string" || value["jsonrpc"] !== "2.0") expected.max += 1;
    return;
  }
  if (typeof id !== "string" && !Number.isInteger(id)) {
    // What looks like a response may be ignored.
    if (isResponse) expected.max += 1;
    else reject();
    return;
  }
  const key = keyOf(id);
  const meta = isObject(params) ? params["_meta"] : undefined;
  const isModern = isObject(meta) && modernKeys.some((name) => meta[name] !== undefined);
  onRequest(id, { method: typeof method === "string" ? method : "none", isModern });
  const isUnsafe = typeof id === "number" && !Number.isSafeInteger(id);
  if (isResponse && value["jsonrpc"] === "2.0") return;
  if (isResponse || isUnsafe) expected.optional.push(key);
  else expected.ids.push(key);
  if (isUnsafe) expected.max += 1;
}

/** The text under which an id is counted; -0 counts as 0. */
export function keyOf(id: unknown): string {
  return JSON.stringify(id === 0 ? 0 : id);
}

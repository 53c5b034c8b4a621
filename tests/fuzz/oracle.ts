/** What has to come back for one line: how many answers with which id, and how many without. */
export interface Due {
  /** Ids, as JSON text, that are each answered exactly once. */
  readonly ids: string[];
  /** Ids that may be answered once, or whose refusal may come without an id. */
  readonly unsure: string[];
  /** Refusals without an id: at least and at most. */
  least: number;
  most: number;
}

/** A request that was sent, by the text of its id. */
export interface Asked {
  readonly method: string;
  readonly isModern: boolean;
}

type JsonObject = Record<string, unknown>;

const modernKeys = ["protocolVersion", "clientCapabilities"].map((name) => `io.modelcontextprotocol/${name}`);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON text nests deeper than any server should follow. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  while (level.length > 0) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    depth += 1;
  }
  return depth - 1;
}

/** Says what is due for a line of text, by the rules of JSON-RPC alone, and notes what was asked in it. */
export function dueFor(text: string, isBatching: boolean, note: (id: unknown, asked: Asked) => void): Due {
  const due: Due = { ids: [], unsure: [], least: 0, most: 0 };
  const refuse = () => {
    due.least += 1;
    due.most += 1;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse();
    return due;
  }
  const isDeep = depthOf(value) > 256;
  if (isDeep || (Array.isArray(value) && (!isBatching || value.length === 0 || value.length > 100))) refuse();
  else for (const one of Array.isArray(value) ? value : [value]) judgeOne(one, due, refuse, note);
  return due;
}

function judgeOne(value: unknown, due: Due, refuse: () => void, note: (id: unknown, asked: Asked) => void): void {
  if (!isObject(value)) {
    refuse();
    return;
  }
  const { id, method, params } = value;
  const isResponse = method === undefined && ("result" in value || "error" in value);
  if (id === undefined) {
    // A notification is never answered; what is neither that nor anything else may be refused.
    if (typeof method !== "string" || value["jsonrpc"] !== "2.0") due.most += 1;
    return;
  }
  if (typeof id !== "string" && !Number.isInteger(id)) {
    // What looks like an answer may be passed over.
    if (isResponse) due.most += 1;
    else refuse();
    return;
  }
  const key = keyOf(id);
  const meta = isObject(params) ? params["_meta"] : undefined;
  const isModern = isObject(meta) && modernKeys.some((name) => meta[name] !== undefined);
  note(id, { method: typeof method === "string" ? method : "none", isModern });
  const isVast = typeof id === "number" && !Number.isSafeInteger(id);
  if (isResponse && value["jsonrpc"] === "2.0") return;
  if (isResponse || isVast) due.unsure.push(key);
  else due.ids.push(key);
  if (isVast) due.most += 1;
}

/** The text under which an id is counted; zero is zero whatever its sign. */
export function keyOf(id: unknown): string {
  return JSON.stringify(id === 0 ? 0 : id);
}

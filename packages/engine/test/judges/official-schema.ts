import { type Book, type Direction, type Library, openLibrary } from "./official-documents.js";
import { judgeTaskNotice, judgeTaskResult } from "./tasks-extension.js";

type JsonObject = Readonly<Record<string, unknown>>;
type Id = string | number;

/** What is known of a conversation when one message of it is judged. */
export interface Context {
  /** The methods that the other side has in flight under an id; more than one only where it used an id twice. */
  readonly asked: ReadonlyMap<Id, readonly string[]>;
}

/** Judges a conversation message by message. */
export interface Judge {
  /** Takes note of the next message of either side and returns what is wrong with it. */
  readonly saw: (direction: Direction, message: unknown) => string[];
}

const library = openLibrary();

/** Whose word the judge takes; tests print it. */
export const judgeSource: string = library.source;

const firstWithoutId = "2025-11-25";
// 2025-03-26 has batches; 2024-11-05 has none in its schema, but follows JSON-RPC, so we serve them there, too (RPC-14).
const batching = new Set(["2024-11-05", "2025-03-26"]);
const stateless = "2026-07-28";
const askingMethods = new Set(["tools/call", "prompts/get", "resources/read"]);
const inputRequestTypes = new Map<unknown, string>([
  ["elicitation/create", "ElicitRequest"],
  ["sampling/createMessage", "CreateMessageRequest"],
  ["roots/list", "ListRootsRequest"],
]);
const emptyResults = new Set(["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);

/** Lists the violations of one message, or of each message of a batch where the revision has batches. */
export function judge(
  revision: string,
  direction: Direction,
  message: unknown,
  context: Context,
  from: Library = library,
): string[] {
  const book = from.book(revision);
  if (!Array.isArray(message)) return judgeOne(book, revision, direction, message, context);
  if (!batching.has(revision)) return [`a batch, which ${revision} does not have`];
  if (message.length === 0) return ["an empty batch"];
  return message.flatMap((one: unknown) => judgeOne(book, revision, direction, one, context));
}

/** Starts to judge a conversation: feed it every message of both sides in order. */
export function createJudge(revision: string, from: Library = library): Judge {
  const asked = { server: new Map<Id, string[]>(), client: new Map<Id, string[]>() };
  return {
    saw(direction, message) {
      const other = direction === "server" ? "client" : "server";
      const violations = judge(revision, direction, message, { asked: asked[other] }, from);
      for (const one of Array.isArray(message) ? message : [message]) {
        if (!isObject(one) || !isId(one["id"])) continue;
        if (isAnswer(one)) settle(asked[other], one["id"]);
        else note(asked[direction], one["id"], String(one["method"]));
      }
      return violations;
    },
  };
}

function note(asked: Map<Id, string[]>, id: Id, method: string): void {
  asked.set(id, [...(asked.get(id) ?? []), method]);
}

function settle(asked: Map<Id, string[]>, id: Id): void {
  const [, ...rest] = asked.get(id) ?? [];
  if (rest.length > 0) asked.set(id, rest);
  else asked.delete(id);
}

function judgeOne(book: Book, revision: string, direction: Direction, message: unknown, context: Context): string[] {
  if (!isObject(message)) return ["no JSON object"];
  if (isAnswer(message)) return judgeAnswer(book, revision, message, context);
  const kind = "id" in message ? "Request" : "Notification";
  const method = String(message["method"]);
  const type = book.typeOf(direction, kind, method);
  const isTaskNotice = revision === stateless && direction === "server" && method === "notifications/tasks";
  const unknown = () =>
    isTaskNotice
      ? judgeTaskNotice(book, message, (key, inputRequest) => judgeInputRequest(book, key, inputRequest))
      : [`${method}: no ${kind.toLowerCase()} that a ${direction} sends in ${revision}`];
  const fitting = type === undefined ? unknown() : book.check(type, message);
  return [
    ...judgeMembers(message, ["jsonrpc", "id", "method", "params"]),
    ...book.check(`JSONRPC${kind}`, message),
    ...fitting,
  ];
}

function judgeAnswer(book: Book, revision: string, answer: JsonObject, context: Context): string[] {
  const failed = "error" in answer;
  const surplus = judgeMembers(answer, ["jsonrpc", "id", failed ? "error" : "result"]);
  if (failed) return [...surplus, ...judgeError(book, revision, answer, context)];
  const envelope = book.check(book.has("JSONRPCResultResponse") ? "JSONRPCResultResponse" : "JSONRPCResponse", answer);
  const verdicts = methodsAsked(answer, context).map((method) => judgeResult(book, revision, method, answer["result"]));
  if (verdicts.length === 0)
    return [...surplus, ...envelope, `an answer to ${JSON.stringify(answer["id"])}, which nobody asked`];
  return [...surplus, ...envelope, ...(verdicts.find((verdict) => verdict.length === 0) ?? verdicts[0] ?? [])];
}

function judgeError(book: Book, revision: string, answer: JsonObject, context: Context): string[] {
  const type = book.has("JSONRPCErrorResponse") ? "JSONRPCErrorResponse" : "JSONRPCError";
  // Where the id could not be read, JSON-RPC says null. The schemas up to 2025-06-18 know neither null nor a missing id, and we
  // chose null (RPC-07, AMB-09); so that member is excepted there, and nothing else of the message.
  if (answer["id"] === null && revision < firstWithoutId) return book.check(type, { ...answer, id: 0 });
  const code = isObject(answer["error"]) ? answer["error"]["code"] : undefined;
  const ownType = typeof code === "number" ? book.typeOfError(code) : undefined;
  const unasked = isId(answer["id"]) && methodsAsked(answer, context).length === 0;
  return [
    ...book.check(type, answer),
    ...(ownType === undefined ? [] : book.check(ownType, answer)),
    ...(unasked ? [`an error for ${JSON.stringify(answer["id"])}, which nobody asked`] : []),
  ];
}

function judgeResult(book: Book, revision: string, method: string, result: unknown): string[] {
  const ofTask =
    revision === stateless && isObject(result)
      ? judgeTaskResult(book, method, result, (key, inputRequest) => judgeInputRequest(book, key, inputRequest))
      : undefined;
  if (ofTask !== undefined) return ofTask;
  if (revision === stateless && isObject(result) && result["resultType"] !== "complete") {
    if (result["resultType"] === "input_required") return judgeInputRequired(book, method, result);
    return [`resultType ${JSON.stringify(result["resultType"])}, which the core of ${revision} does not have`];
  }
  const type = resultTypeOf(book, method, result);
  return type === undefined ? [`a result of ${method}, which ${revision} does not have`] : book.check(type, result);
}

function judgeInputRequired(book: Book, method: string, result: JsonObject): string[] {
  const requests = isObject(result["inputRequests"]) ? Object.entries(result["inputRequests"]) : [];
  return [
    ...(askingMethods.has(method) ? [] : [`input_required, which ${method} may not answer`]),
    ...("inputRequests" in result || "requestState" in result ? [] : ["input_required without requests and state"]),
    ...judgeMembers(result, ["resultType", "inputRequests", "requestState", "_meta"]),
    ...(book.has("InputRequiredResult") ? book.check("InputRequiredResult", result) : []),
    ...requests.flatMap(([key, request]) => judgeInputRequest(book, key, request)),
  ];
}

// The schema has an open union here; by method, errors are reported exactly and extra members are found.
function judgeInputRequest(book: Book, key: string, request: unknown): string[] {
  if (!isObject(request)) return [`inputRequests/${key}: no object`];
  const type = inputRequestTypes.get(request["method"]);
  const fitting = type === undefined ? [`method ${JSON.stringify(request["method"])}`] : book.check(type, request);
  return [...judgeMembers(request, ["method", "params"]), ...fitting].map((line) => `inputRequests/${key}: ${line}`);
}

function resultTypeOf(book: Book, method: string, result: unknown): string | undefined {
  if (emptyResults.has(method)) return "EmptyResult";
  if (isObject(result) && "task" in result && book.has("CreateTaskResult")) return "CreateTaskResult";
  const request = book.typeOf("client", "Request", method) ?? book.typeOf("server", "Request", method);
  return request?.replace(/Request$/, "Result");
}

// The schemas leave envelopes open; JSON-RPC does not, and an extra member is always a bug of the engine.
function judgeMembers(object: JsonObject, known: readonly string[]): string[] {
  return Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => `a member "${name}" beside ${known.join(", ")}`);
}

function methodsAsked(answer: JsonObject, context: Context): readonly string[] {
  return isId(answer["id"]) ? (context.asked.get(answer["id"]) ?? []) : [];
}

function isAnswer(message: JsonObject): boolean {
  return !("method" in message) && ("result" in message || "error" in message);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number";
}

import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import type { Implementation } from "../../protocol/types.js";
import { REVISIONS } from "../../revisions/negotiation.js";
import type { Revision } from "../../revisions/revision.js";
import type { Client } from "../client.js";
import { connectWithHandler } from "../connect.js";
import type { InputRequest } from "../connection.js";
import { ResponseError, stringOr } from "../errors.js";
import { findRevision, LATEST_HANDSHAKE_REVISION } from "../negotiation.js";
import type { Target } from "../options.js";
import { requestToCompletion } from "../round-trips.js";
import { Comparison } from "./compare.js";
import { normalizeOutcome, type RunOutcome } from "./outcome.js";
import {
  type Outcome,
  type RecordedConversation,
  type RecordedInputRequest,
  type RecordedRequest,
  readRequests,
} from "./recorded-requests.js";
import { parseRecording } from "./recording.js";
import type { Difference, ReplayedRequest, ReplayOptions, ReplayReport } from "./replay.js";

/** Replays a recording against a server, one request after the other, and compares the responses. */
export async function runReplay(text: string, target: Target, options: ReplayOptions): Promise<ReplayReport> {
  const { server, notes, redacted, frames } = parseRecording(text);
  const comparison = new Comparison(redacted, options.ignore ?? []);
  const replays = new Map<RecordedConversation, ConversationReplay>();
  const requests: ReplayedRequest[] = [];
  try {
    for (const request of readRequests(frames, options.session)) {
      options.signal?.throwIfAborted();
      const { conversation } = request;
      const replay = replays.get(conversation) ?? new ConversationReplay(conversation, target, options, comparison);
      replays.set(conversation, replay);
      requests.push(await replay.replay(request));
      if (conversation.requests.at(-1) === request) await replay.close();
    }
  } finally {
    await Promise.all([...replays.values()].map((replay) => replay.close()));
  }
  return { server, notes, requests };
}

/** Replays the requests of one conversation with a client of its own. */
class ConversationReplay {
  readonly #conversation: RecordedConversation;
  readonly #recordedRevision: Revision;
  readonly #target: Target;
  readonly #options: ReplayOptions;
  readonly #comparison: Comparison;
  #client: Client | undefined;
  /** The messages of input requests that the recording of the current request does not have. */
  #unexpected: string[] = [];

  constructor(conversation: RecordedConversation, target: Target, options: ReplayOptions, comparison: Comparison) {
    this.#conversation = conversation;
    // Without the beginning of a conversation, only a session is possible.
    this.#recordedRevision =
      REVISIONS.find(({ version }) => version === conversation.revision) ?? LATEST_HANDSHAKE_REVISION;
    this.#target = target;
    this.#options = options;
    this.#comparison = comparison;
  }

  /** Sends a request and compares the outcome. */
  async replay(request: RecordedRequest): Promise<ReplayedRequest> {
    const { session, method, name, params, outcome: recorded } = request;
    const isRedacted = this.#comparison.isRedacted(params);
    const base = { session, method, name, isRedacted, reason: undefined, differences: [] };
    const skipped = (reason: string): ReplayedRequest => ({ ...base, verdict: "skipped", reason });
    const compared = (differences: readonly Difference[]): ReplayedRequest => ({
      ...base,
      verdict: differences.length === 0 ? "same" : "differs",
      differences,
    });

    if (recorded === undefined) return skipped("the recording has no response");
    if (method === "initialize" && (recorded === "truncated" || "error" in recorded))
      return skipped("it opened no session");
    if (method.startsWith("tasks/")) return skipped("task ids differ in every run");
    this.#client ??= await this.#connect();
    const revision = findRevision(this.#client.server.revision);
    if (method === "initialize") return compared(this.#compareInitialize(recorded, this.#client));
    const unsupported = unsupportedReason(revision, request);
    if (unsupported !== undefined) return skipped(unsupported);
    if (isRedacted && this.#options.skipRedacted) return skipped("secrets in the request were redacted");
    this.#unexpected = [];
    const actual = await this.#execute(this.#client, revision, request);
    if (recorded === "truncated")
      return { ...base, verdict: "not compared", reason: "its response was truncated in the recording" };
    const differences = this.#compareResponses(request, recorded, actual, revision);
    return compared([...differences, ...this.#compareInputRequests(request)]);
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }

  #connect(): Promise<Client> {
    const { capabilities = requiredCapabilities(this.#inputRequests), info } = this.#conversation;
    const options = {
      ...this.#options.client,
      capabilities,
      ...(info && { info: info as unknown as Implementation }),
      revision: this.#options.revision ?? this.#recordedRevision.version,
    };
    return connectWithHandler(this.#target, options, (request) => this.#respond(request));
  }

  async #execute(client: Client, revision: Revision, request: RecordedRequest): Promise<RunOutcome> {
    const { task, ...rest } = this.#comparison.replaceIds(request.params) as JsonObject;
    const isTask = request.isTask && revision.taskInitiator === "client";
    const params = { ...rest, ...(isTask && { task: task ?? {} }) };
    const context = {
      request: client.request.bind(client),
      onInputRequest: (inputRequest: InputRequest) => this.#respond(inputRequest),
    };
    // With a progress token, every progress notification restarts the timeout.
    const requestOptions = { signal: this.#options.signal, onProgress: () => undefined };
    try {
      return { result: await requestToCompletion(context, request.method, params, requestOptions) };
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (!(error instanceof ResponseError)) return { failed: error instanceof Error ? error.message : String(error) };
      const { code, message, data } = error;
      return { error: { code, message, ...(data !== undefined && { data }) } };
    }
  }

  /** Compares the instructions, and the capabilities if the revisions are the same: each declares them differently. */
  #compareInitialize(recorded: RecordedRequest["outcome"], { server }: Client): Difference[] {
    const { capabilities, instructions } = isObject(recorded) && "result" in recorded ? recorded.result : {};
    const isSameRevision = server.revision === this.#recordedRevision.version;
    return [
      ...this.#comparison.compare(instructions, server.instructions, "instructions"),
      ...(isSameRevision ? this.#comparison.compare(capabilities, server.capabilities, "capabilities") : []),
    ];
  }

  #compareResponses(
    { method }: RecordedRequest,
    recorded: Outcome,
    actual: RunOutcome,
    revision: Revision,
  ): Difference[] {
    const revisions = [this.#recordedRevision, revision];
    const before = normalizeOutcome(recorded, method, revisions);
    const after = normalizeOutcome(actual, method, revisions);
    if (!("result" in recorded && "result" in actual)) return this.#comparison.compare(before, after);
    this.#comparison.mapId(recorded.result["nextCursor"], actual.result["nextCursor"]);
    return this.#comparison.compare(before["result"], after["result"]);
  }

  #compareInputRequests({ inputRequests }: RecordedRequest): Difference[] {
    const path = "inputRequest";
    if (this.#comparison.isIgnored(path)) return [];
    const missing = inputRequests.filter(({ isUsed, method }) => !isUsed && method !== "roots/list");
    return [
      ...missing.map(({ name, method, params }) => ({
        path,
        recorded: stringOr(params["message"], name || method),
        actual: undefined,
      })),
      ...this.#unexpected.map((actual) => ({ path, recorded: undefined, actual })),
    ];
  }

  get #inputRequests(): RecordedInputRequest[] {
    return this.#conversation.requests.flatMap(({ inputRequests }) => inputRequests);
  }

  /** Returns the recorded response to an input request. Without one, elicitation is cancelled and sampling fails. */
  #respond({ name, method, params }: InputRequest): JsonObject {
    if (method === "roots/list") return { roots: latestRoots(this.#inputRequests) };
    const recorded = findInputRequest(this.#inputRequests, { name, method, params });
    if (recorded) recorded.isUsed = true;
    else this.#unexpected.push(stringOr(params["message"], method));
    const { response } = recorded ?? {};
    if (response && "result" in response) return response.result;
    if (response) throw new Error(stringOr(response.error["message"], "The client rejected the request"));
    if (method === "elicitation/create") return { action: "cancel" };
    throw new Error("The recording has no response to this input request");
  }
}

/** Returns why a revision cannot express a request; undefined if it can. */
function unsupportedReason(revision: Revision, { method, inputRequests }: RecordedRequest): string | undefined {
  const { methods, version } = revision;
  if (!methods.has(method) && REVISIONS.some((other) => other.methods.has(method)))
    return `${version} has no ${method}`;
  try {
    for (const inputRequest of inputRequests)
      revision.writeInputRequest({ ...inputRequest, method: inputRequest.method as "roots/list" });
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

/** Returns the client capabilities that recorded input requests need. */
function requiredCapabilities(inputRequests: readonly RecordedInputRequest[]): JsonObject {
  const methods = new Set(inputRequests.map(({ method }) => method));
  return {
    ...(methods.has("elicitation/create") && { elicitation: { form: {}, url: {} } }),
    ...(methods.has("sampling/createMessage") && { sampling: {} }),
    ...(methods.has("roots/list") && { roots: {} }),
  };
}

/** Finds an unused input request by name and text, else by name, else by text, else one without a name. */
function findInputRequest(
  inputRequests: readonly RecordedInputRequest[],
  { name, method, params }: InputRequest,
): RecordedInputRequest | undefined {
  const promptOf = ({ message, messages, systemPrompt }: JsonObject): string =>
    JSON.stringify([message, messages, systemPrompt]);
  const prompt = promptOf(params);
  const score = (candidate: RecordedInputRequest): number =>
    (name !== "" && candidate.name === name ? 2 : 0) + (promptOf(candidate.params) === prompt ? 1 : 0);
  return inputRequests
    .filter((candidate) => !candidate.isUsed && candidate.method === method)
    .filter((candidate) => score(candidate) > 0 || candidate.name === "" || name === "")
    .toSorted((one, other) => score(other) - score(one))[0];
}

/** Roots are not used up: some servers cache them, and some request them again. */
function latestRoots(inputRequests: readonly RecordedInputRequest[]): Json {
  const recorded = inputRequests.findLast(({ method, response }) => method === "roots/list" && response);
  return recorded?.response && "result" in recorded.response ? (recorded.response.result["roots"] ?? []) : [];
}

import { isObject, type Json, type JsonObject } from "../../../jsonrpc/messages.js";
import type { InputRequest } from "../../../protocol/outcome.js";
import type { SchemaSource, ValidationResult } from "../../../schema/schema.js";
import type { Root } from "../../call.js";
import type { RequestContext } from "../../request-context.js";
import { createForm, type ElicitationForm, isSecretName } from "./form-schema.js";
import { inputRequestsOf, type ParsedResponse, type ResponseParser } from "./input-requests.js";

interface FormRequest {
  readonly name: string;
  readonly message: string;
  readonly form: SchemaSource;
}

/** Shows the user a form and resolves with the content; undefined if the user declined. */
export async function elicitForm(ctx: RequestContext, request: FormRequest): Promise<unknown> {
  const { name, message } = request;
  if (typeof message !== "string") throw new TypeError(`Cannot elicit "${name}": the message must be a string`);
  const form = createForm(request.form);
  const inputRequest: InputRequest = {
    method: "elicitation/create",
    params: { message, requestedSchema: form.requestedSchema },
  };
  return inputRequestsOf(ctx).request(name, inputRequest, (response) => parseFormResponse(form, response));
}

/** Parses an elicitation result: the content, or undefined if the user declined. */
function parseElicitResult(response: Json): ParsedResponse<JsonObject | undefined> {
  const { action, content = {} } = isObject(response) ? response : {};
  if (action === "decline" || action === "cancel") return { value: undefined };
  return action === "accept" && isObject(content) ? { value: content } : { issue: "The client's response is invalid." };
}

function parseFormResponse(form: ElicitationForm, response: Json): ReturnType<ResponseParser<unknown>> {
  const result = parseElicitResult(response);
  if ("issue" in result || result.value === undefined) return result;
  const parsed = form.parse(result.value);
  return parsed instanceof Promise ? parsed.then(toParsedResponse) : toParsedResponse(parsed);
}

function toParsedResponse(parsed: ValidationResult): ParsedResponse<unknown> {
  if (parsed.ok) return { value: parsed.value };
  return { issue: `The response does not match the form: ${parsed.issues.join("; ")}` };
}

interface UrlRequest {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  readonly id: string | undefined;
}

/** Asks the user to open a page and resolves with whether they agreed. */
export async function elicitUrl(ctx: RequestContext, { name, message, url, id }: UrlRequest): Promise<boolean> {
  const issue = typeof message === "string" ? urlIssue(url) : "the message must be a string";
  if (issue !== undefined) throw new TypeError(`Cannot elicit "${name}": ${issue}`);
  if (id !== undefined && (typeof id !== "string" || id === ""))
    throw new TypeError(`Cannot elicit "${name}": the id must be a non-empty string`);
  const inputRequest: InputRequest = {
    method: "elicitation/create",
    params: { mode: "url", message, url },
    pageId: id ?? crypto.randomUUID(),
  };
  return inputRequestsOf(ctx).request(name, inputRequest, (response) => {
    const result = parseElicitResult(response);
    return "issue" in result ? result : { value: result.value !== undefined };
  });
}

/** Returns what is wrong with the URL of a page, or undefined. */
function urlIssue(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return `${JSON.stringify(url)} is not a URL`;
  const { protocol, hostname, username, password, searchParams } = new URL(url);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback(hostname)))
    return "the URL must use https: (http: only for the local machine)";
  if (username !== "" || password !== "") return "the URL must not contain a user name or a password";
  const secret = [...searchParams.keys()].find(isSecretName);
  if (secret !== undefined)
    return `the URL must not contain credentials (${secret}): anyone who reads it could use them`;
  return undefined;
}

const isLoopback = (hostname: string): boolean => /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** What a root takes in memory, besides its texts, and what a session keeps of all roots at most. */
const ROOT_BYTES = 200;
const MAX_ROOTS_BYTES = 1024 * 1024;

const ROOTS_REQUEST: InputRequest = { method: "roots/list", params: {} };

/** The roots of the client: from the session if they are cached there, otherwise from the client. */
export async function listRoots(ctx: RequestContext): Promise<readonly Root[]> {
  const { session } = ctx.connection;
  const declared = ctx.caller.capabilities["roots"];
  // Roots can be cached only if the client announces changes.
  const isCacheable = ctx.revision.handshake && isObject(declared) && declared["listChanged"] === true;
  if (isCacheable && session.roots !== undefined) return session.roots;
  const { rootsVersion } = session;
  const roots = await inputRequestsOf(ctx).request("roots", ROOTS_REQUEST, parseRoots);
  if (isCacheable && session.rootsVersion === rootsVersion) keepRoots(ctx, roots);
  return roots;
}

/** Keeps the roots in the session. A client that keeps too much is asked again with each call. */
function keepRoots({ state, connection }: RequestContext, roots: readonly Root[]): void {
  const bytes = roots.reduce((sum, { uri, name = "" }) => sum + ROOT_BYTES + 2 * (uri.length + name.length), 0);
  if (bytes > MAX_ROOTS_BYTES) return;
  try {
    connection.session.keepRoots(roots, state.kept.hold(connection, bytes));
  } catch {
    // They are not kept.
  }
}

function parseRoots(response: Json): ParsedResponse<readonly Root[]> {
  const roots = isObject(response) ? response["roots"] : undefined;
  if (!Array.isArray(roots) || !roots.every(isRoot)) return { issue: "The client's list of roots is invalid." };
  const files = roots.filter(({ uri }) => /^file:\/\//i.test(uri) && URL.canParse(uri));
  return {
    value: Object.freeze(files.map(({ uri, name }) => Object.freeze(name === undefined ? { uri } : { uri, name }))),
  };
}

function isRoot(root: Json): root is { uri: string; name?: string } {
  return (
    isObject(root) &&
    typeof root["uri"] === "string" &&
    (root["name"] === undefined || typeof root["name"] === "string")
  );
}

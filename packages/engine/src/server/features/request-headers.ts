import { headerMismatch, invalidRequest, type RpcError, truncate } from "../../jsonrpc/errors.js";
import type { Json, JsonObject, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../../jsonrpc/messages.js";
import { PROTOCOL_VERSION_KEY } from "../../revisions/meta-keys.js";
import { isStateless as isStatelessMessage, selectRevision, versionsOf } from "../../revisions/negotiation.js";
import { getMeta, type Revision } from "../../revisions/revision.js";
import type { RegistrySnapshot, RegistryView } from "../registry.js";
import {
  findMirroredArguments,
  getValueAtPath,
  type MirroredArgument,
  NAME_HEADER_PARAMS,
} from "./mirrored-headers.js";
import { filterDependents, filterTools, findUnknownName, listedTools, type ToolFilter } from "./tool-filter.js";

/** Looks up a header by its lower-case name. */
interface HeaderReader {
  header(name: string): string | undefined;
}

/** The part of a tool that headers are compared with. */
interface CalledTool {
  readonly input: { readonly jsonSchema: JsonObject };
}

/** The part of the server state that headers are compared with. */
interface ValidationTarget {
  readonly registry: { readonly tools: { readonly byName: ReadonlyMap<string, CalledTool> } };
  readonly tasks: object | undefined;
}

const VERSION_HEADER = "MCP-Protocol-Version";
const METHOD_HEADER = "Mcp-Method";
const NAME_HEADER = "Mcp-Name";

/** The arguments that each tool mirrors in headers, computed on its first call. */
const MIRRORED = new WeakMap<CalledTool, readonly MirroredArgument[]>();

/** What an HTTP response can be. */
interface ResponseOptions {
  /** Whether it can be an event stream: the client accepts one, and the server can open one. */
  readonly acceptsStream: boolean;
}

/** Compares the headers of an HTTP request with its body. Created by HTTP transports, so that other servers never load it. */
export class HeaderValidation {
  readonly #headers: HeaderReader;
  readonly #response: ResponseOptions;

  constructor(headers: HeaderReader, response: ResponseOptions) {
    this.#headers = headers;
    this.#response = response;
  }

  /** Whether the response can be an event stream. Few requests need one, so it is evaluated on demand. */
  get acceptsStream(): boolean {
    return this.#response.acceptsStream;
  }

  /**
   * The revision of a request, if headers and body agree on it. Throws `RpcError`; missing values are reported before differing
   * ones, and those before unsupported ones.
   */
  selectRevision(
    request: JsonRpcRequest,
    negotiated: Revision | undefined,
    served: readonly Revision[],
  ): Revision | undefined {
    const version = this.#headers.header("mcp-protocol-version");
    const requested = getMeta(request)?.[PROTOCOL_VERSION_KEY];
    // The common case in a session: the header repeats the negotiated version.
    if (negotiated !== undefined && negotiated.version === version && !isStatelessMessage(request)) return negotiated;
    if (requested !== undefined && requested === version) return selectRevision(request, negotiated, served);
    const stateless = served.find(({ handshake }) => !handshake);
    if (stateless !== undefined && this.#isStateless(request, served)) {
      stateless.readCaller(request, undefined);
      throw mismatch(VERSION_HEADER, version, `params._meta["${PROTOCOL_VERSION_KEY}"]`, requested);
    }
    // Nothing is negotiated before the handshake, and the session decides after it: the header must only name a served version.
    const error = request.method === "initialize" ? undefined : this.versionError(served);
    if (error !== undefined && !isStatelessMessage(request)) throw error;
    return selectRevision(request, negotiated, served);
  }

  /** The revision that the header names, if it is served. */
  namedRevision(served: readonly Revision[]): Revision | undefined {
    const version = this.#headers.header("mcp-protocol-version");
    return version === undefined ? undefined : served.find((revision) => revision.version === version);
  }

  /** Why the version in the header cannot be used in a session, or undefined. */
  versionError(served: readonly Revision[]): RpcError | undefined {
    const version = this.#headers.header("mcp-protocol-version");
    if (version === undefined || this.namedRevision(served) !== undefined) return undefined;
    const versions = versionsOf(served.filter(({ handshake }) => handshake));
    return invalidRequest(`${VERSION_HEADER} is ${quote(version)}, but supported are ${versions.join(", ")}`);
  }

  /**
   * Throws `RpcError` if a header differs from the body; handshake revisions have no such headers. `call` is the effective
   * request: with `directToolMethods` a method may be a tool call.
   */
  validate(state: ValidationTarget, revision: Revision, request: JsonRpcRequest, call: JsonRpcRequest): void {
    if (revision.handshake) return;
    const { method } = request;
    const actual = this.#headers.header("mcp-method");
    if (actual !== method) throw mismatch(METHOD_HEADER, actual, "method", method);
    if (hasInvalidCharacters(actual)) throw illegalCharacters(METHOD_HEADER);
    const member = NAME_HEADER_PARAMS.get(method);
    if (member !== undefined && (member !== "taskId" || state.tasks !== undefined))
      this.#compareHeader(NAME_HEADER, "mcp-name", request.params?.[member], "params", member);
    if (call.method === "tools/call")
      this.#validateArguments(state, call, call === request ? "params.arguments" : "params");
  }

  /** Why a notification or response is rejected, or undefined. */
  oneWayError(message: JsonRpcNotification | JsonRpcResponse, served: readonly Revision[]): RpcError | undefined {
    const { method } = message;
    const isStateless = this.namedRevision(served)?.handshake === false;
    if (method === undefined && isStateless)
      return invalidRequest("the server sends no requests in this revision, so there is nothing to respond to");
    if (isStateless || (method !== undefined && isStatelessMessage(message))) {
      const actual = this.#headers.header("mcp-method");
      return actual === undefined || actual === method ? undefined : mismatch(METHOD_HEADER, actual, "method", method);
    }
    return this.versionError(served);
  }

  #isStateless(request: JsonRpcRequest, served: readonly Revision[]): boolean {
    if (isStatelessMessage(request) || this.namedRevision(served)?.handshake === false) return true;
    return request.method !== "initialize" && !served.some(({ handshake }) => handshake);
  }

  #validateArguments(state: ValidationTarget, { params }: JsonRpcRequest, where: string): void {
    const name = params?.["name"];
    const entry = typeof name === "string" ? state.registry.tools.byName.get(name) : undefined;
    if (entry === undefined) return;
    const args = params?.["arguments"];
    for (const { header, key, path, displayPath } of MIRRORED.get(entry) ?? findMirrored(entry))
      this.#compareHeader(header, key, getValueAtPath(args, path), where, displayPath);
  }

  /** A header must repeat a value that the body has, and be absent if the body has none. */
  #compareHeader(header: string, key: string, value: Json | undefined, parent: string, member: string): void {
    const actual = this.#headers.header(key);
    const isPresent = value !== undefined && value !== null;
    if (actual === undefined && !isPresent) return;
    if (actual !== undefined && actual === value && isPlainHeader(actual)) return;
    const where = `${parent}.${member}`;
    if (actual === undefined || !isPresent) throw mismatch(header, actual, where, value);
    if (hasInvalidCharacters(actual)) throw illegalCharacters(header, ": send the value as =?base64?…?=");
    const text = decodeHeaderValue(actual);
    if (text === undefined) throw headerMismatch(`${header} is ${quote(actual)}, which is not base64 of UTF-8 text`);
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw headerMismatch(`${where} is ${quote(value)}, an integer too large for ${header}`);
    if (!headerMatchesValue(text, value)) throw mismatch(header, text, where, value);
  }
}

function findMirrored(tool: CalledTool): readonly MirroredArgument[] {
  const found = findMirroredArguments(tool.input.jsonSchema);
  MIRRORED.set(tool, found);
  return found;
}

function mismatch(header: string, actual: string | undefined, where: string, value: Json | undefined): RpcError {
  const shown = actual === undefined ? "missing" : quote(actual);
  const body = value === undefined ? `the body has no ${where}` : `${where} is ${quote(value)}`;
  return headerMismatch(`${header} is ${shown}, but ${body}; both must be equal`);
}

const illegalCharacters = (header: string, hint = ""): RpcError =>
  headerMismatch(`${header} has characters that are not allowed in a header${hint}`);

const quote = (value: Json): string => truncate(JSON.stringify(value));

const BASE64_PREFIX = "=?base64?";
const BASE64_SUFFIX = "?=";
const TAB = 9;
const SPACE = 32;
const TILDE = 126;
const INTEGER = /^-?\d+(?:\.0+)?$/;

/** Tells whether a header value has characters that HTTP cannot carry. */
export function hasInvalidCharacters(value: string): boolean {
  // This runs for every request, and for short values a loop is several times faster than a regular expression.
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code > TILDE || (code < SPACE && code !== TAB)) return true;
  }
  return false;
}

/** Tells whether a header value is valid and not encoded. */
export const isPlainHeader = (value: string): boolean =>
  !value.startsWith(BASE64_PREFIX) && !hasInvalidCharacters(value);

/** Decodes a header value, which may be base64 between two markers. Returns undefined for invalid base64. */
export function decodeHeaderValue(value: string): string | undefined {
  const isEncoded =
    value.startsWith(BASE64_PREFIX) &&
    value.endsWith(BASE64_SUFFIX) &&
    value.length >= BASE64_PREFIX.length + BASE64_SUFFIX.length;
  if (!isEncoded) return value;
  const encoded = value.slice(BASE64_PREFIX.length, -BASE64_SUFFIX.length);
  const text = Buffer.from(encoded, "base64").toString();
  // Node.js ignores invalid base64 and replaces invalid UTF-8; only valid input survives the round trip.
  return Buffer.from(text).toString("base64") === encoded ? text : undefined;
}

/** Tells whether the text of a header equals a value of the request body. */
export function headerMatchesValue(text: string, value: Json): boolean {
  if (typeof value === "string") return text === value;
  if (typeof value === "object") return false;
  return text === String(value) || (typeof value === "number" && INTEGER.test(text) && Number(text) === value);
}

/** Any other value of the read-only header is true, so that a client that asks for read-only tools always gets them. */
const FALSE_VALUE = /^(?:|false|f|no|n|0|off)$/i;
/** Clients choose the headers, so the number of cached views of a registry is limited. */
const MAX_CACHED_VIEWS = 64;

const cachedViews = new WeakMap<RegistrySnapshot, Map<string, RegistryView>>();

/** The tool filter of an HTTP request. It can only remove tools. Created by transports, so other servers never load it. */
export class RequestToolFilter {
  readonly #filter: ToolFilter;
  readonly #cacheKey: string;

  constructor(filter: ToolFilter) {
    this.#filter = filter;
    this.#cacheKey = JSON.stringify(filter);
  }

  /** What the filter leaves. Throws `RpcError` for an unknown name in it. */
  apply(registry: RegistrySnapshot): RegistryView {
    const views = cachedViews.get(registry) ?? new Map<string, RegistryView>();
    const cached = views.get(this.#cacheKey);
    if (cached !== undefined) return cached;
    const view = this.#createView(registry);
    if (views.size < MAX_CACHED_VIEWS) cachedViews.set(registry, views.set(this.#cacheKey, view));
    return view;
  }

  #createView({ all, toolFilter, toolSearch, defined }: RegistrySnapshot): RegistryView {
    const unknown = findUnknownName(all, this.#filter);
    if (unknown !== undefined) {
      const data = unknown.suggestion === undefined ? undefined : { didYouMean: unknown.suggestion };
      throw invalidRequest(`the tool filter headers are invalid: ${unknown.message}`, undefined, data);
    }
    const available = toolFilter === undefined ? all : filterTools(all, toolFilter);
    const tools = filterTools(available, this.#filter, false);
    const view = toolSearch?.apply(tools) ?? { tools, listed: listedTools(tools, toolFilter) };
    return { ...view, ...filterDependents(defined, view.tools, false) };
  }
}

/** Parses the tool filter headers of a request; undefined if there are none. */
export function parseToolFilterHeaders(headers: HeaderReader): RequestToolFilter | undefined {
  const toolsets = headers.header("x-mcp-toolsets");
  const tools = headers.header("x-mcp-tools");
  const exclude = headers.header("x-mcp-exclude-tools");
  const readOnly = headers.header("x-mcp-readonly");
  if ((toolsets ?? tools ?? exclude ?? readOnly) === undefined) return undefined;
  return new RequestToolFilter({
    ...parseNames("toolsets", toolsets),
    ...parseNames("tools", tools),
    ...parseNames("exclude", exclude),
    ...(readOnly !== undefined && { readOnly: !FALSE_VALUE.test(readOnly.trim()) }),
  });
}

/** An empty list is ignored, like an absent header. */
function parseNames(member: "toolsets" | "tools" | "exclude", value = ""): ToolFilter {
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0 || (member === "toolsets" && names.includes("all"))) return {};
  return { [member]: names };
}

import { headerMismatch, invalidRequest, type RpcError, shortened } from "../jsonrpc/errors.js";
import type { Json, JsonObject } from "../jsonrpc/json.js";
import type { Notification, Request, Response } from "../jsonrpc/messages.js";
import { VERSION_KEY } from "../revisions/meta-keys.js";
import type { Revision } from "../revisions/revision.js";
import { isStandalone, namedVersion, selectRevision, versionsOf } from "../revisions/select.js";
import { decodeHeader, isIllegal, isPlain, saysTheSame } from "./header-value.js";
import { type MirroredArgument, mirroredArguments, NAMED, valueAt } from "./mirrored.js";

/** Gives a header by its lower-case name. */
interface Headers {
  header(name: string): string | undefined;
}

/** A tool, as far as headers are concerned. */
interface CalledTool {
  readonly input: { readonly json: JsonObject };
}

/** The part of a server's core that headers are compared with. */
interface Offered {
  readonly registry: { readonly tools: { find(name: string): CalledTool | undefined } };
  readonly tasks: object | undefined;
}

const VERSION_HEADER = "MCP-Protocol-Version";
const METHOD_HEADER = "Mcp-Method";
const NAME_HEADER = "Mcp-Name";

/** What each tool wants repeated, worked out with its first call. */
const MIRRORED = new WeakMap<CalledTool, readonly MirroredArgument[]>();

/** What the headers of an HTTP request say of its body. Made by transports, so that servers without HTTP never load it. */
export class Claims {
  /** Whether the client takes an answer that is an event stream. */
  readonly takesStream: boolean;
  readonly #headers: Headers;

  constructor(headers: Headers, takesStream: boolean) {
    this.#headers = headers;
    this.takesStream = takesStream;
  }

  /**
   * The revision that a request is in, where headers and body agree on it. Throws `RpcError`: what is missing comes before what
   * differs, and that before what is not served.
   */
  select(request: Request, agreed: Revision | undefined, served: readonly Revision[]): Revision | undefined {
    const version = this.#version;
    const named = namedVersion(request);
    // Nearly all requests of a session: the header repeats what it has agreed on.
    if (agreed !== undefined && agreed.version === version && !isStandalone(request)) return agreed;
    if (named !== undefined && named === version) return selectRevision(request, agreed, served);
    const stateless = served.find(({ handshake }) => !handshake);
    if (stateless !== undefined && this.#isStateless(request, served)) {
      stateless.readCaller(request, undefined);
      throw mismatch(VERSION_HEADER, version, `params._meta["${VERSION_KEY}"]`, named);
    }
    // Before the handshake nothing is agreed on, and afterwards the session counts: the header must only name what is served.
    const fault = request.method === "initialize" ? undefined : this.versionFault(served);
    if (fault !== undefined && !isStandalone(request)) throw fault;
    return selectRevision(request, agreed, served);
  }

  /** The revision that the header names, where it is served. */
  named(served: readonly Revision[]): Revision | undefined {
    const version = this.#version;
    return version === undefined ? undefined : served.find((revision) => revision.version === version);
  }

  /** Why the version that the header names cannot be spoken in a session; undefined = it can. */
  versionFault(served: readonly Revision[]): RpcError | undefined {
    const version = this.#version;
    if (version === undefined || this.named(served) !== undefined) return undefined;
    const versions = versionsOf(served.filter(({ handshake }) => handshake));
    return invalidRequest(`${VERSION_HEADER} is ${quote(version)}, but served are ${versions.join(", ")}`);
  }

  /**
   * Throws `RpcError` where another header says something else than the body; handshake revisions have none of them. `call` is
   * the request as it is served: a method named like a tool may be a call of it.
   */
  check(core: Offered, revision: Revision, request: Request, call: Request): void {
    if (revision.handshake) return;
    const { method } = request;
    const claimed = this.#headers.header("mcp-method");
    if (claimed !== method) throw mismatch(METHOD_HEADER, claimed, "method", method);
    if (isIllegal(claimed)) throw illegal(METHOD_HEADER);
    const member = NAMED.get(method);
    if (member !== undefined && (member !== "taskId" || core.tasks !== undefined))
      this.#compare(NAME_HEADER, "mcp-name", request.params?.[member], "params", member);
    if (call.method === "tools/call")
      this.#checkArguments(core, call, call === request ? "params.arguments" : "params");
  }

  /** Why a message that gets no answer is not taken, or undefined. */
  refusal(message: Notification | Response, served: readonly Revision[]): RpcError | undefined {
    const { method } = message;
    const isStateless = this.named(served)?.handshake === false;
    if (method === undefined && isStateless)
      return invalidRequest("the server asks nothing by itself in this revision, so that there is nothing to answer");
    if (isStateless || (method !== undefined && isStandalone(message))) {
      const claimed = this.#headers.header("mcp-method");
      return claimed === undefined || claimed === method
        ? undefined
        : mismatch(METHOD_HEADER, claimed, "method", method);
    }
    return this.versionFault(served);
  }

  get #version(): string | undefined {
    return this.#headers.header("mcp-protocol-version");
  }

  #isStateless(request: Request, served: readonly Revision[]): boolean {
    if (isStandalone(request) || this.named(served)?.handshake === false) return true;
    return request.method !== "initialize" && !served.some(({ handshake }) => handshake);
  }

  #checkArguments(core: Offered, { params }: Request, where: string): void {
    const name = params?.["name"];
    const entry = typeof name === "string" ? core.registry.tools.find(name) : undefined;
    if (entry === undefined) return;
    const given = params?.["arguments"];
    for (const { header, key, path, place } of mirroredBy(entry))
      this.#compare(header, key, valueAt(given, path), where, place);
  }

  /** A value that is there is repeated, and one that is not is not. `within` and `place` say where the body has it. */
  #compare(header: string, key: string, value: Json | undefined, within: string, place: string): void {
    const claimed = this.#headers.header(key);
    const isThere = value !== undefined && value !== null;
    if (claimed === undefined && !isThere) return;
    if (claimed !== undefined && claimed === value && isPlain(claimed)) return;
    const where = `${within}.${place}`;
    if (claimed === undefined || !isThere) throw mismatch(header, claimed, where, value);
    if (isIllegal(claimed)) throw illegal(header, ": send the value as =?base64?…?=");
    const text = decodeHeader(claimed);
    if (text === undefined)
      throw headerMismatch(`${header} is ${quote(claimed)}, which is not the base64 of a text in UTF-8`);
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw headerMismatch(`${where} is ${quote(value)}, an integer beyond those that ${header} can repeat exactly`);
    if (!saysTheSame(text, value)) throw mismatch(header, text, where, value);
  }
}

function mirroredBy(tool: CalledTool): readonly MirroredArgument[] {
  const known = MIRRORED.get(tool);
  if (known !== undefined) return known;
  const found = mirroredArguments(tool.input.json);
  MIRRORED.set(tool, found);
  return found;
}

function mismatch(header: string, claimed: string | undefined, where: string, value: Json | undefined): RpcError {
  const said = claimed === undefined ? "missing" : quote(claimed);
  const body = value === undefined ? `the body has no ${where}` : `${where} is ${quote(value)}`;
  return headerMismatch(`${header} is ${said}, but ${body}; both must say the same`);
}

const illegal = (header: string, hint = ""): RpcError =>
  headerMismatch(`${header} has characters that a header cannot carry${hint}`);

const quote = (value: Json): string => shortened(JSON.stringify(value));

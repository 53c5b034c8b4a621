import { invalidRequest } from "../../jsonrpc/errors.js";
import type { Registry } from "../registry.js";
import type { ToolView } from "./front.js";
import { select, unknownName, wordUnknown } from "./select.js";
import type { Selection } from "./selection.js";

/** Gives a header by its lower-case name. */
interface Headers {
  header(name: string): string | undefined;
}

const TOOLSETS = "x-mcp-toolsets";
const TOOLS = "x-mcp-tools";
const WITHOUT = "x-mcp-exclude-tools";
const READ_ONLY = "x-mcp-readonly";
/** Whatever else stands there means yes: who wants to change nothing must not be misunderstood. */
const NO = /^(?:|false|f|no|n|0|off)$/i;
/** Headers are the client's to choose, so only so many views of one registry are kept. */
const MOST_VIEWS = 64;

const VIEWS = new WeakMap<Registry, Map<string, ToolView>>();

/**
 * What the headers of an HTTP request leave of the tools. They can take away and never add. Made by transports, so that
 * servers without HTTP never load it.
 */
export class Narrowing {
  readonly #selection: Selection;
  readonly #key: string;

  constructor(selection: Selection) {
    this.#selection = selection;
    this.#key = JSON.stringify(selection);
  }

  /** The tools of a server as this client has them. Throws `RpcError` that names a name which is unknown. */
  view(registry: Registry): ToolView {
    const views = VIEWS.get(registry) ?? new Map<string, ToolView>();
    const known = views.get(this.#key);
    if (known !== undefined) return known;
    const view = this.#narrow(registry);
    if (views.size < MOST_VIEWS) VIEWS.set(registry, views.set(this.#key, view));
    return view;
  }

  #narrow({ all, selection, front }: Registry): ToolView {
    const unknown = unknownName(all, this.#selection);
    if (unknown !== undefined) {
      const { meant } = unknown;
      const reason = `the headers of the request choose tools, but ${wordUnknown(unknown)}`;
      throw invalidRequest(reason, undefined, meant === undefined ? undefined : { didYouMean: meant });
    }
    const offered = selection === undefined ? all : select(all, selection);
    const tools = select(offered, this.#selection, false);
    return front?.before(tools) ?? { tools, listed: tools };
  }
}

/** What headers say about tools; undefined = nothing. */
export function readNarrowing(headers: Headers): Narrowing | undefined {
  const toolsets = headers.header(TOOLSETS);
  const tools = headers.header(TOOLS);
  const without = headers.header(WITHOUT);
  const readOnly = headers.header(READ_ONLY);
  if ((toolsets ?? tools ?? without ?? readOnly) === undefined) return undefined;
  const selection: Selection = {
    ...listed("toolsets", toolsets),
    ...listed("tools", tools),
    ...listed("without", without),
    ...(readOnly !== undefined && { readOnly: !NO.test(readOnly.trim()) }),
  };
  return new Narrowing(selection);
}

/** An empty list says nothing, like a header that is not there. */
function listed(member: "toolsets" | "tools" | "without", value = ""): Selection {
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0 || (member === "toolsets" && names.includes("all"))) return {};
  return { [member]: names };
}

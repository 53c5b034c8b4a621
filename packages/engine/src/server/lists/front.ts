import type { Request } from "../../jsonrpc/messages.js";
import type { Catalogue } from "../catalogue.js";
import type { RegisteredTool } from "../register-tool.js";

/** The tools of a server as a client has them. */
export interface ToolView {
  /** Those that can be called. */
  readonly tools: Catalogue<RegisteredTool>;
  /** Those that are listed. */
  readonly listed: Catalogue<RegisteredTool>;
}

/** The few tools that stand before all others, where these are not listed. Loaded when they are switched on. */
export interface Front {
  /** The tools as a client then has them. */
  before(tools: Catalogue<RegisteredTool>): ToolView;
  /** The call of a tool that such a request stands for; any other is given back as it is. */
  redirect(request: Request): Request;
}

import type { Json } from "../../jsonrpc/json.js";
import type { ToolError } from "../../protocol/outcome.js";
import type { WorkKind } from "../work.js";

/** What a layer sees of a call. */
export interface Metered {
  readonly kind: WorkKind;
  readonly name: string;
  readonly principal: string | undefined;
  /** The request that the call came with. */
  readonly request: { readonly params?: Json };
  /** How long the call may go without progress. */
  readonly timeoutMs: number;
  /** The limit for how long the call may take, however much progress it reports. */
  readonly totalLimit: "callTotalMs" | "taskTotalMs";
  /** When the call runs out of time; moved by progress and by answers. Kept by the timeout layer. */
  deadline: number;
  /** When the call began to count; moved on by the time in which the client was asked. Kept by the timeout layer. */
  startedAt: number;
  /** When the call was accepted. Kept by the layer that reports it. */
  acceptedAt: number;
  /** The call waits for an answer of the client, which no deadline of ours may cut short. */
  isAsking: boolean;
  /** Goes on with the next layer after a wait. */
  proceed(): void;
  /** Ends the call with a failure that the model sees, and tells the tool to stop. */
  stop(error: ToolError): void;
}

/** One concern around calls of what authors wrote. Layers are entered in order; all that were entered are left when the call ends. */
export interface Layer {
  /** Lets a call in: true = go on now, false = `proceed` is called later. Throws to refuse. */
  enter(call: Metered): boolean;
  /** The tool did not answer within the turn of the event loop in which the call came. */
  wait?(call: Metered): void;
  /** The call is over, or was given up while it waited. */
  leave(call: Metered): void;
}

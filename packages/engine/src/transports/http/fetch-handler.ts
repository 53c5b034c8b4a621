import type { Server } from "../../server/server.js";
import { Endpoint } from "./endpoint.js";
import { FetchExchange } from "./fetch-exchange.js";
import { openGate } from "./open-gate.js";
import { createEndpointSettings, type EndpointOptions } from "./options.js";

/** What a host may know of a request beside the request itself. */
export interface FetchContext {
  /** The address of whoever sent it. */
  readonly peer?: string;
}

/** Answers requests of hosts that speak `fetch`. */
export type FetchHandler = (request: Request, context?: FetchContext) => Promise<Response>;

/** Opens the handler. Throws `TypeError` for wrong options. */
export async function openFetchHandler(server: Server, options: EndpointOptions): Promise<FetchHandler> {
  const settings = createEndpointSettings(options);
  const gate = await openGate(server, settings);
  await server.start();
  const endpoint = new Endpoint(server, settings, gate, undefined);
  return (request, context) => {
    const exchange = new FetchExchange(request, context?.peer);
    endpoint.handle(exchange, exchange);
    return exchange.response;
  };
}

import type { Outcome } from "../../protocol/outcome.js";
import { monotonic } from "../../server/clock.js";
import { refuseUnknown } from "../../server/known-members.js";
import type { Layer, LayerHost, LayerRequest } from "../../server/layers/layer.js";
import { DURATION_BOUNDS } from "../../server/metrics.js";
import { type Ended, endingOf, endingOfFailure } from "../ending.js";
import type { Attributes, Context, Histogram, Span, Tracer } from "./api.js";
import { describe, describeEnd } from "./attributes.js";
import { ambientContext, callerContext, spanOf, withSpan } from "./context.js";
import type { TelemetryApi } from "./global.js";
import type { TelemetryOptions } from "./options.js";

/** What the spans and metrics say that made them. */
const SCOPE = "@toolwright/engine";

/** Numbers of the API, version 1. */
const SPAN_KIND_SERVER = 1;
const STATUS_ERROR = 2;

/** Of arguments and results that are recorded, not more than so many characters. */
const MOST_CONTENT = 16_384;

/** Traces and measures the requests of a server, by the semantic conventions for MCP. */
export function openTelemetry(api: TelemetryApi, options: TelemetryOptions, host: LayerHost): Layer {
  refuseUnknown("open telemetry", options, { recordContent: true });
  const tracer = api.trace?.getTracer(SCOPE);
  const createHistogram = (name: string, description: string): Histogram | undefined =>
    api.metrics?.getMeter(SCOPE).createHistogram(name, {
      unit: "s",
      description,
      advice: { explicitBucketBoundaries: [...DURATION_BOUNDS] },
    });
  const operations = createHistogram("mcp.server.operation.duration", "How long the server took to answer a request.");
  const sessions = createHistogram("mcp.server.session.duration", "How long a session lasted.");
  host.onSessionEnd(({ revision, durationMs }) =>
    sessions?.record(durationMs / 1000, { "mcp.protocol.version": revision }),
  );
  return async (request, next) => {
    const startedAt = monotonic();
    const { spanName, shared, span: own } = describe(request, host);
    const ambient = ambientContext(api);
    const parent = callerContext(api, request, ambient);
    const attributes = options.recordContent === true ? { ...own, ...argumentsOf(request, host) } : own;
    const span = tracer && startSpan(tracer, spanName, attributes, parent, ambient);
    const inner = withSpan(parent, span);
    const end = (ended: Ended): void => {
      const more = describeEnd(ended);
      operations?.record((monotonic() - startedAt) / 1000, { ...shared, ...more }, inner);
      if (span !== undefined) endSpan(span, ended, more, host);
    };
    try {
      const outcome = await (api.context === undefined ? next() : api.context.with(inner, next));
      if (options.recordContent === true) span?.setAttributes(resultOf(outcome, host));
      end(endingOf(outcome));
      return outcome;
    } catch (error) {
      end(endingOfFailure(error, request.method));
      throw error;
    }
  };
}

/** The client's span is the parent; that of the transport, such as an HTTP request, is linked then. */
function startSpan(tracer: Tracer, name: string, attributes: Attributes, parent: Context, ambient: Context): Span {
  const around = spanOf(ambient);
  const links = around === undefined || spanOf(parent) === around ? [] : [{ context: around.spanContext() }];
  return tracer.startSpan(name, { kind: SPAN_KIND_SERVER, attributes, links }, parent);
}

function endSpan(span: Span, { ending, code, message }: Ended, more: Attributes, host: LayerHost): void {
  span.setAttributes(more);
  const words = message === undefined ? code : host.redaction.text(message);
  if (ending !== "ok") span.setStatus({ code: STATUS_ERROR, ...(words !== undefined && { message: words }) });
  span.end();
}

function argumentsOf({ method, params }: LayerRequest, host: LayerHost): Attributes {
  if (method !== "tools/call") return {};
  return { "gen_ai.tool.call.arguments": host.redaction.json(params["arguments"] ?? {}).slice(0, MOST_CONTENT) };
}

function resultOf(outcome: Outcome, host: LayerHost): Attributes {
  if (outcome.kind !== "tool" || outcome.result.isError) return {};
  const { structured, content } = outcome.result;
  const value: unknown = structured === undefined ? content : JSON.parse(structured);
  return { "gen_ai.tool.call.result": host.redaction.json(value).slice(0, MOST_CONTENT) };
}

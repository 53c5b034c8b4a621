import { tool } from "@toolwright/engine";
import type { CallReport } from "@toolwright/engine/observability";
import { expect } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const tracing = tool({
  name: "tracing",
  description: "Tells its trace.",
  run: (_input, call) => JSON.stringify(call.trace ?? null),
});
const textOf = (result: object): string => (result as { content: [{ text: string }] }).content[0].text;

everyRevision("handlers and middleware receive the trace context of the request [META-04]", async (open) => {
  const reports: CallReport[] = [];
  const client = await open(serverWith([tracing], { onCall: (report) => void reports.push(report) }));
  const trace = { traceparent, tracestate: "rojo=1", baggage: "user=ada" };
  expect(JSON.parse(textOf(await client.callTool("tracing", {}, { _meta: trace })))).toEqual(trace);
  expect(reports.map((report) => report.trace)).toEqual([trace]);
});

everyRevision("malformed trace fields are ignored individually [META-04]", async (open) => {
  const reports: CallReport[] = [];
  const client = await open(serverWith([tracing], { onCall: (report) => void reports.push(report) }));
  for (const [meta, seen] of [
    [{ traceparent: "garbage", tracestate: "rojo=1" }, null],
    [{ traceparent, tracestate: "NOT VALID", baggage: 7 }, { traceparent }],
    [{ "vendor/traceparent": traceparent }, null],
    [{}, null],
  ] as const) {
    expect(JSON.parse(textOf(await client.callTool("tracing", {}, { _meta: meta })))).toEqual(seen);
    expect(reports.at(-1)?.trace ?? null).toEqual(seen);
  }
});

import { app, createServer, type Server, tool } from "@toolwright/engine";

const page = app({
  uri: "ui://clock/page",
  name: "clock",
  csp: { connectDomains: ["https://time.example.com"] },
  prefersBorder: true,
  html: "<!doctype html><title>Clock</title><p>12:00</p>",
});

const clock = tool({
  name: "clock",
  description: "Tells the time.",
  ui: { resource: "ui://clock/page", visibility: ["model", "app"] },
  run: (_, call) => (call.supports("apps") ? "12:00, as you see." : "12:00"),
});

const count = tool({
  name: "count",
  description: "Counts.",
  input: { type: "object", properties: { to: { type: "integer" } }, required: ["to"] },
  run: ({ to }) => Array.from({ length: to }, (_, at) => `number ${at + 1}`).join("\n"),
});

/** The server of the conversations about pages to show and about results that are too large to show. */
export function createExtras(): Server {
  return createServer({
    name: "extras",
    version: "1.0.0",
    largeResults: { budgetBytes: 100 },
    log: () => undefined,
    tools: [clock, count],
    resources: [page],
  });
}

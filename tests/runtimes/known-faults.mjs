const ENDLESS_AWAIT = [
  "packages/engine/test/lifecycle/startup-failures.test.ts > serveStdio(load) tells a client of 2025-11-25 why the server cannot start: 'an await that never ends'",
  "packages/engine/test/lifecycle/startup-failures.test.ts > serveStdio(load) tells a client of 2026-07-28 why the server cannot start: 'an await that never ends'",
];

/** A reason, the runtimes that it holds on, and the tests that fail for it, by file and whole name. */
const KNOWN_FAULTS = [
  {
    on: ["bun", "deno"],
    reason:
      "its HTTP server keeps the body of a request that asks for another protocol, so that nobody can read it again",
    tests: [
      "packages/engine/test/transports/websocket-upgrade.test.ts > an upgrade request for another protocol than WebSocket is served as a normal request, also in parts and repeatedly",
    ],
  },
  {
    on: ["bun"],
    reason: "its HTTP server leaves listeners at a connection whose request for another protocol was ignored",
    tests: [
      "packages/engine/test/transports/attacks.test.ts > a client that offers HTTP/2 with each request is served on one connection, without a warning from Node",
    ],
  },
  {
    on: ["bun"],
    reason: "it does not tell of new children on the diagnostics channel child_process",
    tests: [
      "packages/engine/test/lifecycle/children.test.ts > a child that a tool starts with node:child_process is terminated with the process, and its own child too: one that obeys SIGTERM",
      "packages/engine/test/lifecycle/children.test.ts > a child that a tool starts with node:child_process is terminated with the process, and its own child too: one that ignores SIGTERM",
      "packages/engine/test/lifecycle/children.test.ts > a child that a tool starts with node:child_process is terminated when the process exits early",
      "packages/engine/test/faults/leaking.test.ts > on stdio, children of tools are terminated with the process also those started with node:child_process",
      "packages/engine/test/faults/leaking.test.ts > on stdio, children of tools are terminated with the process when a tool calls process.exit",
      "packages/engine/test/faults/leaking.test.ts > on stdio, children of tools are terminated with the process when the process receives SIGTERM",
      "packages/engine/test/faults/leaking.test.ts > on stdio, children of tools are terminated with the process when the client no longer reads",
      "packages/engine/test/faults/dying.test.ts > on stdio, stdout is reserved for messages a child does not inherit stdin and stdout: child_inherits",
      "packages/engine/test/faults/dying.test.ts > on stdio, stdout is reserved for messages a child does not inherit stdin and stdout: fork",
    ],
  },
  {
    on: ["bun"],
    reason: "its HTTPS server has no setSecureContext",
    tests: [
      "packages/engine/test/http/certificates.test.ts > while a server listens its certificate can be replaced for new connections",
      "packages/engine/test/http/certificates.test.ts > while a server listens with a new certificate, the minimum TLS version still applies",
    ],
  },
  {
    on: ["deno"],
    reason:
      "its servers close a connection over the limit, but do not tell of it with the event drop, so that no line is logged",
    tests: [
      "packages/engine/test/http/limits.test.ts > connections over the limit are closed with a log entry, and the others continue",
      "packages/engine/test/transports/unix-socket.test.ts > a client of a Unix socket is rejected over the limit, and accepted when another has disconnected",
      "packages/engine/test/transports/websocket-upgrade.test.ts > a WebSocket upgrade is rejected over the connection limit",
    ],
  },
  {
    on: ["deno"],
    reason: "an HTTP server that closes takes a connection for idle on which half the head of a request has come",
    tests: [
      "packages/engine/test/http/closing.test.ts > a closing server rejects new requests on open connections with 503, and is alive but not healthy",
    ],
  },
  {
    on: ["bun", "deno"],
    reason:
      "a server over TLS that closes waits for a connection that has asked nothing yet, for as long as for one that has",
    tests: [
      "packages/engine/test/http/closing.test.ts > a closing server does not wait for TLS connections without a request",
    ],
  },
  {
    on: ["deno"],
    reason:
      "its node:sqlite does not give the number of a fault, by which the store knows a damaged file and a locked one",
    tests: [
      "packages/kit/test/tasks/durable.test.ts > a file that cannot be used is left as it is when it is damaged",
      "packages/kit/test/tasks/durable.test.ts > a file that cannot be used is said to be locked",
      "packages/kit/test/tasks/durable.test.ts > a file that cannot be used is waited for while others open it",
    ],
  },
  {
    on: ["bun"],
    reason: "it ignores the resourceLimits of a worker",
    tests: [
      "packages/engine/test/faults/dying.test.ts > over stdio, the server continues when a tool does this: exhaust_worker",
      "packages/engine/test/faults/dying.test.ts > over HTTP, the server continues when a tool does this: exhaust_worker",
    ],
  },
  {
    on: ["bun"],
    reason: "while the main module still waits, it goes on after an error that nobody caught",
    tests: [
      "packages/engine/test/lifecycle/startup-failures.test.ts > serveStdio(load) tells a client of 2025-11-25 why the server cannot start: 'a rejection that nobody waits for'",
      "packages/engine/test/lifecycle/startup-failures.test.ts > serveStdio(load) tells a client of 2026-07-28 why the server cannot start: 'a rejection that nobody waits for'",
      "packages/engine/test/lifecycle/startup-failures.test.ts > serveStdio(load) reports a port that is in use",
    ],
  },
  {
    on: ["bun"],
    reason: "it never ends while the main module waits, though nothing will ever come",
    tests: ENDLESS_AWAIT,
  },
  {
    on: ["deno"],
    reason:
      "it ends without the event exit when the main module waits for nothing, and not at all once stdin was looked at, which it cannot unref",
    tests: ENDLESS_AWAIT,
  },
  {
    on: ["deno"],
    reason: "a read of stdin that has begun takes what comes next, and nobody gets it once the process ends",
    tests: [
      "packages/engine/test/lifecycle/startup-failures.test.ts > serveStdio(load) responds to every pending request, and to one that comes after the failure",
    ],
  },
  {
    on: ["deno"],
    reason: "a write to stdout holds the whole process up until the client reads",
    tests: [
      "packages/engine/test/faults/slow-reader.test.ts > a client on stdio that never reads loses progress notifications, and the server does not run out of memory",
      "packages/engine/test/faults/slow-reader.test.ts > a client on stdio that never reads does not delay the exit after SIGTERM beyond the limit",
      "packages/engine/test/faults/slow-reader.test.ts > a client on stdio that never reads does not keep the process alive when it closes stdin",
      "packages/engine/test/faults/slow-reader.test.ts > a client on stdio that never reads does not keep the process alive when a tool exits it",
      "packages/engine/test/lifecycle/crash.test.ts > a process that exits while calls run ends the incomplete line, so that crash replies can be parsed",
    ],
  },
  {
    on: ["deno"],
    reason:
      "its HTTP server serves every request of a connection, however much of the answers waits for a client that does not read",
    tests: [
      "packages/engine/test/faults/slow-reader.test.ts > a client over HTTP that never reads its large responses is disconnected when it has read nothing for a while",
    ],
  },
  {
    on: ["deno"],
    reason: "what a worker prints goes past process.stdout of the main thread",
    tests: [
      "packages/engine/test/faults/dying.test.ts > on stdio, stdout is reserved for messages what a tool or a worker prints goes to stderr, and no message can be forged",
    ],
  },
  {
    on: ["deno"],
    reason: "its JSON.stringify writes an object of any depth, so that nothing fails",
    tests: [
      "packages/engine/test/faults/excessive.test.ts > over stdio, a tool that returns a value too deep for JSON fails, and the log says why",
      "packages/engine/test/faults/excessive.test.ts > over HTTP, a tool that returns a value too deep for JSON fails, and the log says why",
    ],
  },
];

/** The tests that are known to fail on a runtime, each with the reason. */
export function knownFaults(/** @type {string} */ runtime) {
  const faults = KNOWN_FAULTS.filter(({ on }) => on.includes(runtime));
  return new Map(faults.flatMap(({ tests, reason }) => tests.map((test) => [test, reason])));
}

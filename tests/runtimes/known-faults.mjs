/** A reason, the runtimes that it holds on, and the tests that fail for it, by file and whole name. */
const KNOWN_FAULTS = [
  {
    on: ["bun", "deno"],
    reason:
      "its HTTP server keeps the body of a request that asks for another protocol, so that nobody can read it again",
    tests: [
      "tests/transports/websocket-door.test.ts > a request for another protocol than WebSocket is served as if it had not asked, also in parts and one after the other",
    ],
  },
  {
    on: ["bun"],
    reason: "its HTTP server leaves listeners at a connection whose request for another protocol was passed over",
    tests: [
      "tests/transports/attacks.test.ts > a client that asks for HTTP/2 with each request is answered on one connection, without a warning from Node",
    ],
  },
  {
    on: ["bun"],
    reason: "it does not tell of new children on the diagnostics channel child_process",
    tests: [
      "tests/lifecycle/children.test.ts > a child that was started without the engine ends with the process, and its own child too: one that heeds the request",
      "tests/lifecycle/children.test.ts > a child that was started without the engine ends with the process, and its own child too: one that does not heed the request",
      "tests/lifecycle/children.test.ts > a child that was started without the engine ends with a process that dies",
    ],
  },
  {
    on: ["bun"],
    reason: "its HTTPS server has no setSecureContext",
    tests: [
      "tests/http/renewal.test.ts > while a server listens its certificate can be replaced for connections from then on",
    ],
  },
  {
    on: ["deno"],
    reason:
      "its servers close a connection over the limit, but do not tell of it with the event drop, so that no line is logged",
    tests: [
      "tests/http/limits.test.ts > connections over the limit are closed with a line in the log, and the others go on",
      "tests/transports/unix-socket.test.ts > a client at a Unix socket that is one too many is turned away, and another may come when one has gone",
      "tests/transports/websocket-door.test.ts > a WebSocket is refused when there are too many connections",
    ],
  },
  {
    on: ["deno"],
    reason: "an HTTP server that closes takes a connection for idle on which half the head of a request has come",
    tests: [
      "tests/http/closing.test.ts > a server that closes refuses what comes meanwhile on an open connection with 503, and is alive but not healthy",
    ],
  },
  {
    on: ["deno"],
    reason:
      "its node:sqlite does not give the number of a fault, by which the store knows a damaged file and a locked one",
    tests: [
      "tests/tasks/durable.test.ts > a file that cannot be used is left as it is when it is damaged",
      "tests/tasks/durable.test.ts > a file that cannot be used is said to be locked",
      "tests/tasks/durable.test.ts > a file that cannot be used is waited for while others open it",
    ],
  },
];

/** The tests that are known to fail on a runtime, each with the reason. */
export function knownFaults(/** @type {string} */ runtime) {
  const faults = KNOWN_FAULTS.filter(({ on }) => on.includes(runtime));
  return new Map(faults.flatMap(({ tests, reason }) => tests.map((test) => [test, reason])));
}

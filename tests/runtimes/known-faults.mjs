const ENDLESS_AWAIT = [
  "tests/lifecycle/last-words.test.ts > serveStdio(load) tells a client of 2025-11-25 in words why the server cannot start: 'an await that never ends'",
  "tests/lifecycle/last-words.test.ts > serveStdio(load) tells a client of 2026-07-28 in words why the server cannot start: 'an await that never ends'",
  "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2025-11-25 in words why the server cannot start: 'an await that never ends'",
  "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2026-07-28 in words why the server cannot start: 'an await that never ends'",
];

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
      "tests/faults/leaking.test.ts > on stdio, children of tools are ended with the process also those that were started past the engine",
      "tests/faults/leaking.test.ts > on stdio, children of tools are ended with the process when a tool calls process.exit",
      "tests/faults/leaking.test.ts > on stdio, children of tools are ended with the process when the process is told to stop",
      "tests/faults/leaking.test.ts > on stdio, children of tools are ended with the process when the client no longer reads",
      "tests/faults/dying.test.ts > on stdio, stdout stays the protocol's a child that was to share it, and stdin, does not: child_inherits",
      "tests/faults/dying.test.ts > on stdio, stdout stays the protocol's a child that was to share it, and stdin, does not: fork",
    ],
  },
  {
    on: ["bun"],
    reason: "its HTTPS server has no setSecureContext",
    tests: [
      "tests/http/renewal.test.ts > while a server listens its certificate can be replaced for connections from then on",
      "tests/http/renewal.test.ts > while a server listens with a new certificate, versions of TLS that are too old stay refused",
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
    on: ["bun", "deno"],
    reason:
      "a server over TLS that closes waits for a connection that has asked nothing yet, for as long as for one that has",
    tests: [
      "tests/http/closing.test.ts > a server that closes waits for no connection over TLS that has asked nothing yet",
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
  {
    on: ["bun"],
    reason: "it does not heed the resourceLimits of a worker",
    tests: [
      "tests/faults/dying.test.ts > over stdio, the server lives on when a tool does this: exhaust_worker",
      "tests/faults/dying.test.ts > over HTTP, the server lives on when a tool does this: exhaust_worker",
    ],
  },
  {
    on: ["bun"],
    reason: "while the main module still waits, it goes on after an error that nobody caught",
    tests: [
      "tests/lifecycle/last-words.test.ts > serveStdio(load) tells a client of 2025-11-25 in words why the server cannot start: 'a rejection that nobody waits for'",
      "tests/lifecycle/last-words.test.ts > serveStdio(load) tells a client of 2026-07-28 in words why the server cannot start: 'a rejection that nobody waits for'",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2025-11-25 in words why the server cannot start: 'a rejection that nobody waits for'",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2026-07-28 in words why the server cannot start: 'a rejection that nobody waits for'",
      "tests/lifecycle/last-words.test.ts > serveStdio(load) says that a port is taken",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot says that a port is taken",
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
    reason:
      "it loads all that a program imports before anything of it runs, and tells nobody in the process when that fails",
    tests: [
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2025-11-25 in words why the server cannot start: 'a module that is not installed'",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2025-11-25 in words why the server cannot start: 'a file that is not there'",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2025-11-25 in words why the server cannot start: 'a name that a module does not give'",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2025-11-25 in words why the server cannot start: 'wrong syntax'",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2026-07-28 in words why the server cannot start: 'a module that is not installed'",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2026-07-28 in words why the server cannot start: 'a file that is not there'",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2026-07-28 in words why the server cannot start: 'a name that a module does not give'",
      "tests/lifecycle/last-words.test.ts > node --import @toolwright/engine/boot tells a client of 2026-07-28 in words why the server cannot start: 'wrong syntax'",
    ],
  },
  {
    on: ["deno"],
    reason: "a read of stdin that has begun takes what comes next, and nobody gets it once the process ends",
    tests: [
      "tests/lifecycle/last-words.test.ts > serveStdio(load) answers every request that waits, and one that comes when it has failed already",
    ],
  },
  {
    on: ["deno"],
    reason: "a write to stdout holds the whole process up until the client reads",
    tests: [
      "tests/faults/unread.test.ts > a client on stdio that never reads loses progress that a tool tells at length, not the memory of the server",
      "tests/faults/unread.test.ts > a client on stdio that never reads does not keep the process, which was told to stop, longer than the limit",
      "tests/faults/unread.test.ts > a client on stdio that never reads does not keep the process when it closes stdin",
      "tests/faults/unread.test.ts > a client on stdio that never reads does not keep the process when a tool ends it",
      "tests/lifecycle/crash.test.ts > a process that ends while calls run ends the line that broke off, so that the last words can be read",
    ],
  },
  {
    on: ["deno"],
    reason:
      "its HTTP server serves every request of a connection, however much of the answers waits for a client that does not read",
    tests: [
      "tests/faults/unread.test.ts > a client over HTTP that never reads its large answers is sent away when it has taken nothing for a while",
    ],
  },
  {
    on: ["deno"],
    reason: "what a worker prints goes past process.stdout of the main thread",
    tests: [
      "tests/faults/dying.test.ts > on stdio, stdout stays the protocol's whatever a tool or a worker prints, it comes on stderr, and nothing can be forged",
    ],
  },
  {
    on: ["deno"],
    reason: "its JSON.stringify writes an object of any depth, so that nothing fails",
    tests: [
      "tests/faults/excessive.test.ts > over stdio, a tool that returns what is too deep for JSON has failed, and the log says why",
      "tests/faults/excessive.test.ts > over HTTP, a tool that returns what is too deep for JSON has failed, and the log says why",
    ],
  },
];

/** The tests that are known to fail on a runtime, each with the reason. */
export function knownFaults(/** @type {string} */ runtime) {
  const faults = KNOWN_FAULTS.filter(({ on }) => on.includes(runtime));
  return new Map(faults.flatMap(({ tests, reason }) => tests.map((test) => [test, reason])));
}

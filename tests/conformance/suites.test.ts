import { describe, expect } from "vitest";
import type { Open } from "./bridge.js";
import { type DowngradeProxy, downgrade } from "./downgrade-proxy.js";
import { everything, serveEverything } from "./everything.js";
import { expectSuitePasses } from "./expected-runs.js";
import { overSse, overStdio } from "./pipes.js";
import { FIRST_RELEASE, HANDSHAKE, type Scenarios, STATELESS, without } from "./scenarios.js";
import { bridgeSessions } from "./session-bridge.js";
import { bridgeStateless } from "./stateless-bridge.js";
import { runEach, runSet } from "./suite.js";

/** The suite skips this one itself: task notifications are sent differently than it expects. facts.test.ts checks them. */
const SKIPPED = ["tasks-status-notifications: tasks-status-notifications"];
/** The bridges always answer with a stream, so the check of streams has something to check. */
const STREAMS = { "server-sse-multiple-streams": 2 };

describe.concurrent("over HTTP, the official suite passes in full", () => {
  expectSuitePasses("at 2026-07-28, with the tasks extension", {
    column: "2026-07-28 HTTP",
    open: serveEverything,
    judge: ({ url }) => runSet("0.2", url, "--requirements", "2026-07-28"),
    passes: STATELESS,
    skips: SKIPPED,
  });

  expectSuitePasses("at 2025-11-25", {
    column: "2025-11-25 HTTP",
    open: serveEverything,
    judge: ({ url }) => runSet("0.2", url, "--requirements", "2025-11-25"),
    passes: HANDSHAKE,
  });

  expectSuitePasses("in its first release", {
    column: "2025-11-25 HTTP (0.1.16)",
    open: serveEverything,
    judge: ({ url }) => runSet("0.1", url, "--suite", "all"),
    passes: FIRST_RELEASE,
  });
});

describe.concurrent("over other transports, the official suite passes except for what is specific to HTTP", () => {
  const headerless = without(
    STATELESS,
    "dns-rebinding-protection",
    "http-custom-header-server-validation",
    "http-header-validation",
    "tasks-request-headers",
  );
  expectSuitePasses("stdio at 2026-07-28", {
    column: "2026-07-28 stdio",
    open: () => bridgeStateless(everything),
    judge: ({ url }) => runEach(Object.keys(headerless), url, "--spec-version", "2026-07-28"),
    passes: headerless,
  });

  // Sessions and resumable streams belong to the bridge. The clients' origins reach only a server over HTTP.
  const sse = { ...without(HANDSHAKE, "server-session-lifecycle", "server-sse-polling"), ...STREAMS };
  const stdio = without(sse, "dns-rebinding-protection");
  expectSuitePasses("stdio at 2025-11-25", {
    column: "2025-11-25 stdio",
    open: () => bridgeSessions(overStdio(everything)),
    judge: ({ url }) => runEach(Object.keys(stdio), url, "--spec-version", "2025-11-25"),
    passes: stdio,
  });

  expectSuitePasses("HTTP+SSE", {
    column: "2025-11-25 HTTP+SSE",
    open: bridgeSse,
    judge: ({ url }) => runEach(Object.keys(sse), url, "--spec-version", "2025-11-25"),
    passes: sse,
  });
});

describe.concurrent("over HTTP, the official suite passes for everything that an older revision has", () => {
  // facts.test.ts checks the rest.
  const at20250618 = {
    ...without(HANDSHAKE, "server-sse-polling", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"),
    // One check less: the format of tool names is newer.
    "tools-list": 2,
  };
  const at20250326 = without(at20250618, "tools-call-elicitation");
  const at20241105 = without(at20250326, "tools-call-audio");

  serverUrl("2025-06-18", "2025-06-18", at20250618);
  serverUrl("2025-03-26", "2025-03-26", at20250326);
  // The suite has no schema of the oldest one, and the next one only adds to it.
  serverUrl("2024-11-05", "2025-03-26", at20241105);
});

function serverUrl(revision: string, schema: string, passes: Scenarios): void {
  expectSuitePasses(revision, {
    column: `${revision} HTTP`,
    open: () => serveAt(revision),
    judge: ({ url }) => runEach(Object.keys(passes), url, "--spec-version", schema),
    passes,
    afterwards: ({ agreed }) => expect([...agreed]).toEqual([revision]),
  });
}

async function serveAt(revision: string): Promise<DowngradeProxy> {
  const server = await serveEverything();
  const { url, agreed, close } = await downgrade(server.url, revision);
  return { url, agreed, close: () => close().then(() => server.close()) };
}

async function bridgeSse(): Promise<Open> {
  const server = await serveEverything("--sse");
  const { url, close } = await bridgeSessions(overSse(new URL("/sse", server.url).href));
  return { url, close: () => close().then(() => server.close()) };
}

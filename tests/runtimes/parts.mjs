/** The tests of the engine that run inside a runtime. Each part is a run of its own, so that one that hangs takes nothing along. */
export const INSIDE = [
  "packages/engine/src/",
  "tests/admission/",
  "tests/authorization/",
  "tests/client/",
  "tests/conversations.test.ts",
  "tests/features/",
  "tests/fuzz/",
  "tests/http/",
  "tests/interop/http-sessions.test.ts",
  "tests/interop/transcripts.test.ts",
  "tests/judges/",
  "tests/layers/",
  "tests/lists/",
  "tests/logging/",
  "tests/observability/",
  "tests/protocol/",
  "tests/redaction/",
  "tests/replay/",
  "tests/results/",
  "tests/schema/",
  "tests/support/",
  "tests/tasks/",
  "tests/transports/",
];

/** Those that start servers as processes. They watch them from Node: other runtimes tell less of how a process ended. */
export const STARTING = [
  "tests/conformance/",
  "tests/faults/",
  "tests/interop/everything.test.ts",
  "tests/interop/official-clients.test.ts",
  "tests/lifecycle/",
  "tests/load/",
  "tests/observability/full-disk.test.ts",
  "tests/soak/",
  "tests/stdio/",
];

/** Tests of the command, of its packs and of the project itself, and of clients that bring a runtime of their own. */
export const OTHERS = [
  "packages/toolwright/src/",
  "tests/analysis/",
  "tests/architecture.test.ts",
  "tests/cli/",
  "tests/config/",
  "tests/coverage.test.ts",
  "tests/dev/",
  "tests/docs/",
  "tests/doctor/",
  "tests/fit/",
  "tests/install/",
  "tests/interop/agents.test.ts",
  "tests/interop/other-clients.test.ts",
  "tests/interop/ready-server.test.ts",
  "tests/knowledge/",
  "tests/lifecycle/serve.test.ts",
  "tests/publish/",
  "tests/replay/command.test.ts",
  "tests/runtimes/",
  "tests/templates/",
  "tests/threats/",
  "tests/todo/",
  "tests/use/",
  "tests/workstation/",
];

/** The part of a test file: the one that names it most exactly. */
export function partOf(/** @type {string} */ file) {
  const parts = [...INSIDE, ...STARTING, ...OTHERS].filter((part) => file.startsWith(part));
  return parts.toSorted((one, other) => other.length - one.length)[0];
}

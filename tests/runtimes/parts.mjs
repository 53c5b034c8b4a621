/** The tests of the engine that run inside a runtime. Each part is a run of its own, so that one that hangs takes nothing along. */
export const INSIDE = [
  "packages/engine/test/",
  "packages/engine/test/authorization/",
  "packages/engine/test/client/",
  "packages/engine/test/features/",
  "packages/engine/test/http/",
  "packages/engine/test/judges/",
  "packages/engine/test/large-results/",
  "packages/engine/test/limits/",
  "packages/engine/test/logging/",
  "packages/engine/test/middleware/",
  "packages/engine/test/observability/",
  "packages/engine/test/protocol/",
  "packages/engine/test/redaction/",
  "packages/engine/test/replay/",
  "packages/engine/test/schema/",
  "packages/engine/test/tasks/",
  "packages/engine/test/tool-lists/",
  "packages/engine/test/transports/",
  "packages/kit/test/tasks/",
  "tests/fuzz/",
  "tests/interop/http-sessions.test.ts",
  "tests/interop/transcripts.test.ts",
];

/** Those that start servers as processes. They watch them from Node: other runtimes tell less of how a process ended. */
export const STARTING = [
  "packages/engine/test/faults/",
  "packages/engine/test/lifecycle/",
  "packages/engine/test/observability/full-disk.test.ts",
  "packages/engine/test/stdio/",
  "tests/conformance/",
  "tests/interop/everything.test.ts",
  "tests/interop/official-clients.test.ts",
  "tests/load/",
  "tests/soak/",
];

/** Tests of the command, of its packs and of the project itself, and of clients that bring a runtime of their own. */
export const OTHERS = [
  "packages/analysis/",
  "packages/kit/test/unit/",
  "packages/knowledge/",
  "packages/templates/",
  "packages/threats/",
  "packages/todo/",
  "packages/toolwright/",
  "packages/workstation/",
  "tests/architecture.test.ts",
  "tests/coverage.test.ts",
  "tests/docs/",
  "tests/interop/agents.test.ts",
  "tests/interop/other-clients.test.ts",
  "tests/interop/ready-server.test.ts",
  "tests/profiles/",
  "tests/publish/",
  "tests/resilience/",
  "tests/runtimes/",
];

/** The part of a test file: the one that names it most exactly. */
export function partOf(/** @type {string} */ file) {
  const parts = [...INSIDE, ...STARTING, ...OTHERS].filter((part) => file.startsWith(part));
  return parts.toSorted((one, other) => other.length - one.length)[0];
}

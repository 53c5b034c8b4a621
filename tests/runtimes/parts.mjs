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
  "tests/fuzz/",
  "tests/interop/http-sessions.test.ts",
  "tests/interop/transcripts.test.ts",
  "tests/tasks/",
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
  "tests/publish/",
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

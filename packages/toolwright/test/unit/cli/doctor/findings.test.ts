import { expect, test } from "vitest";
import { exitCodeFor, faultsIn, titleOf } from "../../../../src/cli/doctor/findings.js";

const examination = (name: string, server: string) => ({
  name,
  transport: "stdio" as const,
  target: "",
  unreached: undefined,
  server: { name: server, version: "1.0.0" },
  revisions: [],
  score: undefined,
  groups: [],
  checks: [],
});

test.each([
  ["node server.mjs", "weather", "weather over stdio"],
  ["…modules/weather/dist/index.js", "weather", "weather over stdio"],
  ["node server.mjs", "", "node server.mjs over stdio"],
  ["my-weather", "weather", "my-weather over stdio"],
])("the server %s, which calls itself %j, is shown as %s", (name, server, title) => {
  expect(titleOf(examination(name, server))).toBe(title);
});

test("a file that a client cannot read is a fault", () => {
  const unread = [{ file: "/home/ada/.cursor/mcp.json", reason: "line 3, column 10: a comma must be here" }];
  const diagnosis = { made: new Date(0), version: "1.0.0", servers: [], configured: [], unread };
  expect([faultsIn(diagnosis), exitCodeFor(diagnosis)]).toEqual([1, 1]);
  expect(exitCodeFor({ ...diagnosis, unread: [] })).toBe(0);
});

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram } from "../../../../tests/support/program.js";
import { folder } from "../cli/listening.js";
import { listed, namesOf, run } from "./kit.js";

const place = mkdtempSync(path.join(tmpdir(), "toolwright-"));
const workbench = path.join(place, "workbench.mjs");
beforeAll(() => buildProgram(new URL("../cli/workbench-program.ts", import.meta.url), workbench));
afterAll(() => rmSync(place, { recursive: true }));

interface Costs {
  readonly tools: readonly {
    readonly name: string;
    readonly toolset?: string;
    readonly tokens: { readonly description: number; readonly schema: number; readonly total: number };
    readonly share: number;
  }[];
  readonly total: number;
}

test("without a server it lists what serve would list with the same options, and keeps nothing", async () => {
  const state = folder();
  const { status, stdout } = run(`tools --json --state ${state}`);
  expect(status).toBe(0);
  const tools = JSON.parse(stdout) as { name: string }[];
  expect(tools.map(({ name }) => name)).toEqual(namesOf(await listed("")));
  expect(readdirSync(state)).toEqual([]);
});

test("the cost of tools is a table, the heaviest first", () => {
  expect(run("tools --toolsets basics --tokens")).toEqual({
    status: 0,
    stdout: [
      "tool          toolset  description  schema  total   share",
      "read_result                     28     150    188  62.7 %",
      "current_time  basics            15      37     62  20.7 %",
      "echo          basics            10      31     50  16.7 %",
      "",
      "3 tools cost 300 tokens (cl100k_base: name, description and input schema of each).",
      "",
    ].join("\n"),
    stderr: "",
  });
});

test("a list within the budget ends with 0, and one above it with 1 and the heaviest tools", () => {
  expect(run("tools --toolsets basics --budget 300").status).toBe(0);
  const { status, stdout, stderr } = run("tools --toolsets basics --budget 299");
  expect(status).toBe(1);
  expect(stdout).toContain("3 tools cost 300 tokens");
  expect(stderr).toBe(
    "toolwright: The tools cost 300 tokens, 1 more than the budget of 299. The most expensive: read_result (188), current_time (62), echo (50)\n",
  );
});

test("the default list is within the budget that it was made for", () => {
  expect(run("tools --budget 9999")).toMatchObject({ status: 0, stderr: "" });
});

test("the cost can be had as JSON, of any server", () => {
  const { status, stdout } = run(`tools --tokens --json --budget 1 -- ${process.execPath} ${workbench}`);
  expect(status).toBe(1);
  const { tools, total, ...rest } = JSON.parse(stdout) as Costs;
  expect(rest).toEqual({ budget: 1 });
  expect(total).toBe(tools.reduce((sum, { tokens }) => sum + tokens.total, 0));
  expect(tools.map(({ tokens }) => tokens.total)).toEqual(
    tools.map(({ tokens }) => tokens.total).toSorted((one, other) => other - one),
  );
  expect(tools.find(({ name }) => name === "bag")).toMatchObject({ tokens: { description: 7 } });
  expect(tools.some(({ toolset }) => toolset !== undefined)).toBe(false);
});

test("toolsets that are wrong are refused as serve would refuse them", () => {
  expect(run("tools --toolsets fils")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining('--toolsets: "fils" is unknown; did you mean files?'),
  });
});

test("a budget that is no number is refused", () => {
  expect(run("tools --budget few")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--budget must be a whole number, at least 1, not "few"'),
  });
});

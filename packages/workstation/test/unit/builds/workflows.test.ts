import { describe, expect, it } from "vitest";
import { readWorkflow } from "../../../src/builds/workflows.js";

describe("readWorkflow", () => {
  it("reads triggers, jobs, steps and the matrix", async () => {
    const text = `name: Check
on:
  push: { branches: [main] }
  pull_request:
jobs:
  test:
    name: Tests
    runs-on: \${{ matrix.os }}
    strategy:
      matrix: { os: [ubuntu-latest, macos-latest] }
    steps:
      - uses: actions/checkout@v4
      - name: Test
        run: |
          npm ci
          npm test
  deploy:
    needs: test
    uses: ./.github/workflows/deploy.yml
`;
    expect(await readWorkflow(text)).toEqual({
      name: "Check",
      triggers: ["push", "pull_request"],
      jobs: [
        {
          id: "test",
          name: "Tests",
          runs_on: "${{ matrix.os }}",
          needs: [],
          matrix: { os: ["ubuntu-latest", "macos-latest"] },
          steps: [{ uses: "actions/checkout@v4" }, { name: "Test", run: "npm ci\nnpm test\n" }],
        },
        { id: "deploy", needs: ["test"], uses: "./.github/workflows/deploy.yml", steps: [] },
      ],
      faults: [],
    });
  });

  it.each([
    ["on: push", ["push"]],
    ["on: [push, pull_request]", ["push", "pull_request"]],
    ["'on': {workflow_dispatch: }", ["workflow_dispatch"]],
    ["%YAML 1.1\n---\non: push", ["push"]],
  ])("reads the triggers of %j", async (text, triggers) => {
    expect((await readWorkflow(`${text}\njobs: {a: {}}`)).triggers).toEqual(triggers);
  });

  it("says on which line the YAML is wrong, and gives what could be read", async () => {
    const { faults, triggers } = await readWorkflow("on: push\njobs:\n  a:\n    steps: [\n");
    expect(faults[0]?.line).toBeGreaterThanOrEqual(4);
    expect(triggers).toEqual(["push"]);
  });

  it.each(["", "just text", "- a\n- b", "on: push", "jobs: 3\non: push"])("finds a fault in %j", async (text) => {
    expect((await readWorkflow(text)).faults).not.toEqual([]);
  });

  it("does not follow aliases without end", async () => {
    const levels = Array.from(
      { length: 9 },
      (_, at) => `l${at + 1}: &l${at + 1} [${"*l".concat(String(at), ",").repeat(9)}]`,
    );
    const { faults } = await readWorkflow(["l0: &l0 [x,x]", ...levels, "jobs: {a: {}}"].join("\n"));
    expect(faults).not.toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, fillDemo, makeDemo } from "./kit.js";

let demo: Demo;

beforeAll(() => {
  demo = makeDemo();
  fillDemo(demo);
});

afterAll(() => demo.remove());

describe("toolwright analyze", () => {
  test("complexity says which functions are too complex, and ends well unless --fail says otherwise", async () => {
    const [plain, failing, passing] = await Promise.all([
      demo.run(["complexity"]),
      demo.run(["complexity", "--fail", "--quiet"]),
      demo.run(["complexity", "--fail", "--max-cognitive", "40", "--quiet"]),
    ]);
    expect(plain).toEqual({
      code: 0,
      stderr: "",
      stdout: [
        "Complexity of demo: 3 functions in 3 files (TypeScript 3)",
        "",
        "            median  p90  max",
        "cyclomatic       9    9    9",
        "cognitive       36   36   36",
        "",
        "2 errors, no warnings, 6 hours of technical debt",
        "",
        "Above the thresholds",
        "severity  metric     value  limit  function  location",
        "error     cognitive     36     30  decide    src/core.ts:3",
        "error     cognitive     36     30  wait      src/still.ts:1",
        "",
      ].join("\n"),
    });
    expect([failing.code, failing.stdout]).toEqual([1, plain.stdout]);
    expect(passing.code).toBe(0);
  });

  test("complexity --explain lists every line that adds", async () => {
    const { stdout } = await demo.run(["complexity", "src/still.ts", "--explain"]);
    expect(stdout).toContain(
      [
        "error wait  src/still.ts:1",
        "  cognitive complexity 36, above 30",
        "  line 2  +1  if",
        "  line 3  +2  if (nested 1 deep)",
      ].join("\n"),
    );
  });

  test("complexity --baseline lists what is worse, and --fail considers only that", async () => {
    const [worse, same] = await Promise.all([
      demo.run(["complexity", "--baseline", "HEAD~1", "--fail"]),
      demo.run(["complexity", "--baseline", "HEAD", "--fail"]),
    ]);
    expect(worse.code).toBe(1);
    expect(worse.stdout).toContain("Compared with HEAD~1: 1 function is worse, 1 new error, 0 better, 0 removed");
    expect(worse.stdout).toMatch(/^error +new +cognitive +36 +30 +decide /m);
    expect(worse.stdout).toMatch(/^error +unchanged +cognitive +36 +30 +wait /m);
    expect(worse.stdout).toMatch(/cognitive +28 +36 +decide +src\/core\.ts:3/);
    expect([same.code, same.stdout.includes("no function is worse")]).toEqual([0, true]);
  });

  test("complexity that looks at nothing says so, and --fail ends with 1", async () => {
    const said = await demo.run(["complexity", "--include", "*.tx", "--fail"]);
    expect([said.code, said.stdout]).toEqual([
      1,
      [
        "Complexity of demo: 0 functions in 0 files",
        "",
        "! No source file was found. Check the path, include, exclude and the toolchain.",
        "",
      ].join("\n"),
    ]);
  });

  test("no other analysis takes an empty search for good news either", async () => {
    const said = await Promise.all(
      ["hotspots", "satd", "duplicates", "dag"].map((name) => demo.run([name, "--include", "*.tx"])),
    );
    const remark = "No source file was found. Check the path, include and exclude.";
    for (const { code, stdout } of said) expect([code, stdout.includes(remark)]).toEqual([0, true]);
  });

  test("machine formats are pure", async () => {
    const [json, sarif, csv, mermaid] = await Promise.all([
      demo.run(["complexity", "--json"]),
      demo.run(["complexity", "--format", "sarif"]),
      demo.run(["hotspots", "--format", "csv"]),
      demo.run(["dag", "--format", "mermaid"]),
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({ summary: { total_files: 3, errors: 2 } });
    expect(JSON.parse(sarif.stdout)).toMatchObject({ version: "2.1.0", runs: [{ results: [{}, {}] }] });
    expect(csv.stdout.split("\r\n")[0]).toBe(
      "file_path,score,complexity,churn,commits,functions,code_lines,bus_factor,last_modified",
    );
    expect(csv.stdout.split("\r\n")[1]).toMatch(/^src\/core\.ts,41\.86,36,1,3,/);
    expect(mermaid.stdout).toMatch(/^flowchart LR\n/);
    expect([json, sarif, csv, mermaid].map(({ stderr }) => stderr)).toEqual(["", "", "", ""]);
  });

  test("complexity --format full --json has every function with what was measured of it", async () => {
    const [full, brief] = await Promise.all([
      demo.run(["complexity", "src/small.ts", "--format", "full", "--json"]),
      demo.run(["complexity", "src/small.ts", "--json"]),
    ]);
    const { functions } = JSON.parse(full.stdout);
    expect(functions).toMatchObject([{ file: "src/small.ts", name: "half", line: 2, end_line: 2, cognitive: 0 }]);
    expect(functions[0].halstead.volume).toBeGreaterThan(0);
    expect(JSON.parse(brief.stdout)).not.toHaveProperty("functions");
  });

  test("dag --focus lists what a file imports and what imports it, as text too", async () => {
    const [core, small, none] = await Promise.all([
      demo.run(["dag", "--focus", "src/core.ts"]),
      demo.run(["dag", "--focus", "src/small.ts"]),
      demo.run(["dag", "--focus", "src/still.ts"]),
    ]);
    expect(core.stdout).toContain("src/core.ts uses\nfile          imports\nsrc/small.ts        1\n");
    expect(core.stdout).toContain("No file uses src/core.ts");
    expect(small.stdout).toContain("src/small.ts is used by\nfile         imports\nsrc/core.ts        1\n");
    expect(small.stdout).not.toContain("Most used");
    expect(none.stdout).toContain("src/still.ts uses no file");
  });

  test("dag --external lists packages, and with --focus those of the file; --depth goes further", async () => {
    const chain = makeDemo();
    chain.put("a.ts", 'import "./b.js";\nimport "react";\n');
    chain.put("b.ts", 'import "./c.js";\n');
    chain.put("c.ts", 'import "react";\n');
    const [all, near, far] = await Promise.all([
      chain.run(["dag", "--external"]),
      chain.run(["dag", "--focus", "a.ts", "--external"]),
      chain.run(["dag", "--focus", "a.ts", "--depth", "2"]),
    ]);
    chain.remove();
    expect(all.stdout).toContain("Packages\npackage  used by\nreact          2\n");
    expect(near.stdout).toContain(
      "a.ts uses\nfile             imports\nb.ts                   1\nreact (package)        1\n",
    );
    expect(far.stdout).toContain("Around it\nfile  uses  imports\nb.ts  c.ts        1\n");
  });

  test("dag --focus does not deny the links for which there was no room", async () => {
    const crowd = makeDemo();
    const names = ["a", "b", "c", "d", "e"];
    for (const [at, name] of names.entries())
      crowd.put(
        `${name}.ts`,
        names
          .slice(at + 1)
          .map((other) => `import "./${other}.js";\n`)
          .join(""),
      );
    crowd.put("user.ts", 'import "./a.js";\n');
    const { stdout } = await crowd.run(["dag", "--focus", "a.ts", "--max-nodes", "5"]);
    crowd.remove();
    expect(stdout).toContain("a.ts uses\n");
    expect(stdout).not.toContain("No file uses");
    expect(stdout).toContain("1 file and 1 link are left out. Use a smaller depth or more nodes.");
  });

  test("churn, to-do comments, duplicates and imports as text", async () => {
    const [churn, satd, duplicates, dag] = await Promise.all([
      demo.run(["churn"]),
      demo.run(["satd"]),
      demo.run(["duplicates", "--min-tokens", "20"]),
      demo.run(["dag"]),
    ]);
    expect(churn.stdout).toContain("Churn of demo: 3 commits by 2 authors in 30 days, 3 files changed\n");
    expect(churn.stdout).toMatch(/^src\/core\.ts +1\.00 +3 /m);
    expect(churn.stdout).toMatch(/^Grace Hopper +1 /m);
    expect(satd.stdout).toMatch(/^high +defect +src\/small\.ts:1 +27 +FIXME: this fails for zero$/m);
    expect(duplicates.stdout).toMatch(/^Duplicates of demo: [\d.]+ % of \d+ lines in 3 files$/m);
    expect(duplicates.stdout).toMatch(/^ {3}src\/still\.ts:\d+-\d+$/m);
    expect(dag.stdout).toContain("Imports of demo: 3 files, no import cycles\n");
    expect(dag.stdout).toMatch(/^src\/small\.ts +1$/m);
  });

  test("the gate exits with 1 if it fails and 0 if it passes, with JSON too", async () => {
    const words = ["gate", "--max-duplication", "100"];
    const [no, yes, json] = await Promise.all([
      demo.run(words),
      demo.run([...words, "--max-cognitive", "36"]),
      demo.run([...words, "--json"]),
    ]);
    expect([no.code, yes.code, json.code]).toEqual([1, 0, 1]);
    expect(no.stdout).toContain("Quality gate of demo: failed: 1 of 4 checks\n");
    expect(no.stdout).toContain(
      "✖ 2 of 3 functions have a cognitive complexity above 30.\n    36  src/core.ts:3  decide\n",
    );
    expect(no.stdout).toContain("A hotspot analysis shows what to extract.");
    expect(yes.stdout).toContain("Quality gate of demo: passed\n");
    expect(JSON.parse(json.stdout)).toMatchObject({ passed: false });
  });

  test("hotspots --html writes the page whole, the same each time, and leaves nothing beside it", async () => {
    const file = path.join(demo.root, "..", "report.html");
    const said = await demo.run(["hotspots", "--html", file]);
    expect([said.code, said.stderr.split(/(?=^Written)/m).at(-1)]).toEqual([0, `Written: ${file}\n`]);
    expect(said.stdout).toMatch(/^src\/core\.ts +41\.9 +36 +1\.00 +3 /m);
    const page = readFileSync(file, "utf8");
    expect(page).toContain("<h1>Hotspots of <bdi>demo</bdi></h1>");
    expect(page).toContain("Changes of 90 days, from 2025-12-01 to 2026-03-01.");
    // The trend: six conditions at first, then seven, then eight.
    expect(page).toMatch(/<td class="number">21<\/td>.*<td class="number">28<\/td>.*<td class="number">36<\/td>/);
    await demo.run(["hotspots", "--html", file, "--quiet"]);
    expect(readFileSync(file, "utf8")).toBe(page);
    expect(readdirSync(path.dirname(file)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("--output takes what would go to stdout", async () => {
    const file = path.join(demo.root, "..", "churn.json");
    const said = await demo.run(["churn", "--json", "--output", file, "--quiet"]);
    expect(said).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ summary: { total_commits: 3 } });
  });

  test("a folder of a repository and a worktree have its history", async () => {
    const tree = path.join(demo.root, "..", "tree");
    demo.git("worktree", "add", "--quiet", "--detach", tree);
    const [folder, worktree] = await Promise.all([demo.run(["churn", "src"]), demo.run(["churn", tree])]);
    expect(folder.stdout).toMatch(/^core\.ts +1\.00 +3 /m);
    expect(worktree.stdout).toMatch(/^src\/core\.ts +1\.00 +3 /m);
    demo.git("worktree", "remove", tree);
  });

  test("wrong usage ends with code 2 and a hint", async () => {
    expect(await demo.run(["hotspts"])).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'toolwright: Unknown command "analyze hotspts"; did you mean hotspots? Run "toolwright analyze --help" for usage.\n',
    });
  });

  test("a path that cannot be analyzed ends with code 1, one that cannot be written with 2", async () => {
    const file = path.join(demo.root, "nowhere", "report.html");
    const outside = path.dirname(demo.root);
    const [absent, folder, place] = await Promise.all([
      demo.run(["churn", "nowhere"]),
      demo.run(["hotspots", "--html", file]),
      demo.run(["churn", outside]),
    ]);
    expect(absent).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^toolwright: .*nowhere.* does not exist/),
    });
    expect(folder).toEqual({
      code: 2,
      stdout: "",
      stderr: `toolwright: Cannot write ${JSON.stringify(file)}: its folder does not exist\n`,
    });
    expect(existsSync(file)).toBe(false);
    expect(place.code).toBe(1);
    expect(place.stderr).toBe(
      `toolwright: Cannot read the history of ${JSON.stringify(outside)}: it is not in a git repository.\n`,
    );
  });

  test("--help has an example of each kind, and lines that fit", async () => {
    const { code, stdout } = await demo.run(["--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Measure code: complexity/);
    expect(stdout).toContain("toolwright analyze hotspots --html hotspots.html");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openPlace, short } from "./run.js";

describe("toolwright task", () => {
  test("takes down a task in one line, and lists it under an id that can be typed back", () => {
    const { task, good, add } = openPlace();
    const first = add("Write tests");
    const second = add("Fix", "the", "parser", "-p", "1", "--after", short(first), "--parent", short(first));
    expect(second).toMatch(/^task_[\da-z]{20}$/);
    expect(task(["list"])).toEqual({
      status: 0,
      stdout: [
        "id    p  state      changed   task",
        `${short(second)}  1  ◌ blocked  just now  Fix the parser`,
        `${short(first)}  3  ○ pending  just now  Write tests`,
        "",
      ].join("\n"),
      stderr: "",
    });
    expect(good("done", short(first), "--result", "Written")).toBe(`✓ completed  ${short(first)}  Write tests`);
    expect(good("next", "--quiet")).toBe(second);
    expect(good("tree")).toBe(
      `✓ completed  ${short(first)}  Write tests\n└─ ○ pending  ${short(second)}  Fix the parser`,
    );
    expect(JSON.parse(good("show", short(first), "--json"))).toMatchObject({
      id: first,
      result: "Written",
      version: 2,
    });
    expect(good("list", "--all", "--quiet").split("\n")).toEqual([second, first]);
  });

  test("knows who does something: the user, or the one who is named", () => {
    const { good, add } = openPlace();
    const id = add("Anything", "--actor", "ada");
    const { created_by: by } = JSON.parse(good("show", id, "--json")) as { created_by: string };
    expect(by).toBe("ada");
    expect(good("claim", "--actor", "grace", "--lease", "2h")).toMatch(/Anything {2}\(grace, expires in (?:2h|1h)\)$/);
    expect(good("history", "--actor", "ada").split("\n").slice(1)).toEqual([
      `just now  grace  ${short(id)}  claimed, status pending → in_progress, claimed_by none → grace`,
      `just now  ada    ${short(id)}  created`,
    ]);
    expect(good("release", id, "--actor", "grace")).toBe(`○ pending  ${short(id)}  Anything`);
  });

  test("makes a task of each line of stdin, and of words that look like options behind --", () => {
    const { task, good } = openPlace();
    expect(task(["add", "-", "--quiet"], "one\n\n  two \n").stdout.trim().split("\n")).toHaveLength(2);
    good("add", "--quiet", "--", "--cold", "start");
    const { tasks } = JSON.parse(good("list", "--json")) as { tasks: { description: string }[] };
    expect(tasks.map(({ description }) => description)).toEqual(["--cold start", "two", "one"]);
    expect(task(["add", "-"], "\n")).toMatchObject({ status: 2, stdout: "" });
  });

  test("takes several ids, does what can be done, and says what could not", () => {
    const { task, add } = openPlace();
    const [one, two] = [add("one"), add("two")];
    expect(task(["start", one, "zzzz", two])).toEqual({
      status: 1,
      stdout: `◐ in progress  ${short(one)}  one\n◐ in progress  ${short(two)}  two\n`,
      stderr: "toolwright: task not found: zzzz. To list the tasks, run: toolwright task list\n",
    });
    const said = task(["done", one, two, "--json"]);
    expect(JSON.parse(said.stdout)).toMatchObject([{ task: { id: one } }, { task: { id: two } }]);
  });

  test("changes, blocks, finds and takes back", () => {
    const { task, good, add } = openPlace();
    const [one, two] = [add("Fix the parser"), add("Write tests")];
    expect(good("block", one, two)).toBe(`${short(one)} is blocked by ${short(two)}`);
    expect(task(["block", two, one])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${two} → ${one} → ${two}`),
    });
    expect(good("unblock", one, two)).toBe(`${short(one)} is no longer blocked by ${short(two)}`);
    good("edit", one, "-p1", "--description", "Mend the parser", "--parent", two);
    expect(good("search", "mend", "--quiet")).toBe(one);
    expect(good("edit", one, "--parent", "none", "--json")).toContain('"parent_id": null');
    expect(good("undo")).toBe(`undone: ${short(one)} updated, parent_id ${two} → none`);
    expect(task(["undo", "--actor", "grace"])).toEqual({
      status: 1,
      stdout: "",
      stderr: "toolwright: Cannot undo: there is no change by grace.\n",
    });
  });

  test("deletes only the given tasks", () => {
    const { task, good, add } = openPlace();
    const parent = add("Whole");
    const child = add("Part", "--parent", parent);
    expect(task(["rm", parent])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--yes is required if stdin or stderr is not a terminal"),
    });
    expect(task(["rm", parent, "--yes"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`To delete them as well, run: toolwright task remove ${parent} --cascade`),
    });
    expect(good("rm", parent, "-y", "--cascade")).toBe(`deleted ${parent}\ndeleted ${child}`);
    expect(task(["list"])).toEqual({ status: 0, stdout: "", stderr: "No open tasks.\n" });
    good("undo");
    expect(good("list", "--quiet").split("\n").toSorted()).toEqual([parent, child].toSorted());
  });

  test("looks whether a task is done", () => {
    const { cwd, task, add } = openPlace();
    const id = add("Write it", "--done-file", "out.txt");
    expect(task(["check", id])).toEqual({
      status: 1,
      stdout: `○ pending  ${short(id)}  Write it\n  ${path.join(cwd, "out.txt")} does not exist\n`,
      stderr: "",
    });
    writeFileSync(path.join(cwd, "out.txt"), "done");
    expect(task(["check", id])).toMatchObject({ status: 0, stdout: expect.stringContaining("✓ completed") });
  });

  test("writes all tasks in a form that is the same each time, and takes them in elsewhere", () => {
    const [here, there] = [openPlace(), openPlace()];
    const one = here.add("one");
    here.add("two", "--after", one, "--parent", one);
    expect(here.task(["export", "tasks.jsonl"])).toEqual({
      status: 0,
      stdout: "",
      stderr: "Wrote 2 tasks to tasks.jsonl\n",
    });
    const file = path.join(here.cwd, "tasks.jsonl");
    expect(there.good("import", file)).toBe("2 created, 0 updated, 0 unchanged, 0 kept");
    expect(there.good("export")).toBe(readFileSync(file, "utf8").trimEnd());
    expect(there.task(["import", "--dry-run"], readFileSync(file, "utf8")).stdout).toBe(
      "0 created, 0 updated, 2 unchanged, 0 kept (dry run, nothing was changed)\n",
    );
    expect(there.task(["import", "nowhere.jsonl"])).toEqual({
      status: 1,
      stdout: "",
      stderr: 'toolwright: Cannot read "nowhere.jsonl": there is no such file\n',
    });
  });

  test("shows ids as long as they must be, and each can be typed back", () => {
    const { task, good } = openPlace();
    const ends = ["0000x7777", "0000y7777", "7777z8888", "000000000"];
    const ids = ends.map((end) => `task_${end === "7777z8888" ? "7777" : "0000"}0000000${end}`);
    const moment = "2020-01-02T03:04:05.000Z";
    const lines = ids.map((id) => JSON.stringify({ id, description: id, created_at: moment, updated_at: moment }));
    expect(task(["import", "-"], lines.join("\n"))).toMatchObject({ status: 0 });
    const shown = good("list").split("\n").slice(1);
    // One of nothing but zeros is how others begin.
    const expected = new Set(["task_00000000000000000000", "8888", "x7777", "y7777"]);
    expect(new Set(shown.map((line) => line.split(" ")[0]))).toEqual(expected);
    for (const line of shown)
      expect(good("show", line.split(" ")[0] ?? "", "--json")).toContain(`"${line.split(" ").at(-1)}"`);
    expect(shown[0]).toContain("2020-01-02");
  });

  test("keeps its tasks where --database says", () => {
    const { cwd, good, add } = openPlace();
    add("usual");
    add("elsewhere", "--database", "mine.db");
    expect(good("list", "--database", path.join(cwd, "mine.db"))).toMatch(/elsewhere$/);
    expect(good("list")).toMatch(/usual$/);
  });
});

describe("toolwright task says what is wrong with a command line", () => {
  test.each([
    [[], "task needs a subcommand: add, list, next"],
    [["lst"], 'Unknown command "task lst"'],
    [["list", "--staus", "x"], "Unknown option --staus"],
    [["list", "--status", "pendin"], '--status must be pending, in_progress, completed or failed, not "pendin"'],
    [["list", "--cascade"], "Unknown option --cascade"],
    [["list", "it"], 'Unexpected argument "it"'],
    [["list", "--all", "--ready"], "--all cannot be used together with --ready"],
    [["tree", "a", "b"], 'Unexpected argument "b"'],
    [["add"], "Missing argument TEXT"],
    [["add", "x", "-p", "9"], '-p must be a whole number from 1 to 5, not "9"'],
    [
      ["add", "x", "--done-file", "a", "--done-command", "b"],
      "--done-file cannot be used together with --done-command",
    ],
    [["edit", "x"], "no change is given"],
    [["claim", "--lease", "2d"], "--lease must be"],
  ])("%j", (words, said) => {
    const { status, stdout, stderr } = openPlace().task(words);
    expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining(said)]);
    expect(stderr).toMatch(/Run "toolwright task(?: \w+)? --help" for usage\./);
  });
});

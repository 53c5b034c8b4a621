import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openPlace, type Place, short } from "./run.js";

const checkOf = ({ good }: Place, id: string): unknown =>
  (JSON.parse(good("show", id, "--json")) as { done_when: unknown }).done_when;

test("a done-condition refers to the folder in which it was set, wherever it is checked", () => {
  const here = openPlace();
  const elsewhere = openPlace({ XDG_STATE_HOME: here.env["XDG_STATE_HOME"] });
  const id = here.add("ship", "--done-file", "out.js");
  const file = path.join(here.cwd, "out.js");
  writeFileSync(path.join(elsewhere.cwd, "out.js"), "of another project");
  expect(elsewhere.task(["check", id])).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(`${file} does not exist`),
  });
  expect(checkOf(here, id)).toEqual({ kind: "file_exists", path: file });
  writeFileSync(file, "");
  expect(elsewhere.task(["check", id])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`${file} exists`),
  });
  here.good("edit", id, "--done-command", "npm test");
  expect(checkOf(here, id)).toEqual({ kind: "command", command: ["npm", "test"], cwd: here.cwd });
  const refused = here.task(["add", "x", "--done-file", "~/out.js"]);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("~ is not expanded")]);
});

test("a done-condition goes along with a file of tasks to the folder of another one", () => {
  const [here, there] = [openPlace(), openPlace()];
  const id = here.add("ship", "--done-file", "dist/out.js");
  here.add("pass", "--done-command", "npm test");
  mkdirSync(path.join(here.cwd, "sub"));
  here.good("export", "tasks.jsonl");
  there.good("import", path.join(here.cwd, "tasks.jsonl"));
  expect(checkOf(there, id)).toEqual({ kind: "file_exists", path: path.join(here.cwd, "dist/out.js") });
  const lines = `${here.good("export")}\n`;
  expect(lines).not.toContain(here.cwd);
  const third = openPlace();
  expect(third.task(["import", "-"], lines)).toMatchObject({ status: 0 });
  expect(checkOf(third, id)).toEqual({ kind: "file_exists", path: path.join(third.cwd, "dist/out.js") });
  expect(`${third.good("export")}\n`).toBe(lines);
  expect(here.task(["import", "-"], lines).stdout).toContain("0 updated, 2 unchanged");
});

test("a done-command is read with its quotes, and shown so that it can be typed again", () => {
  const place = openPlace();
  const id = place.add("x", "--done-command", 'npm run "x y"');
  expect(checkOf(place, id)).toMatchObject({ command: ["npm", "run", "x y"] });
  expect(place.good("show", short(id))).toContain(`npm run 'x y' passes`);
  for (const wrong of ['a "b', " "]) {
    const { status, stderr } = place.task(["add", "x", "--done-command", wrong]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("--done-command")]);
  }
  expect(checkOf(place, place.add("x", "--done-command", '["a b", "c"]'))).toMatchObject({ command: ["a b", "c"] });
});

test("a given database is created only by commands that write tasks", () => {
  const { cwd, task, good } = openPlace();
  const typo = path.join("no", "typo.db");
  for (const words of [["list"], ["show", "x"], ["done", "x"], ["search", "x"], ["export"], ["undo"]])
    expect(task([...words, "--database", typo])).toEqual({
      status: 1,
      stdout: "",
      stderr: `toolwright: There are no tasks in ${JSON.stringify(typo)}: the file does not exist. "toolwright task add" creates it.\n`,
    });
  expect(existsSync(path.join(cwd, "no"))).toBe(false);
  good("add", "x", "--database", typo);
  expect(good("list", "--database", typo)).toContain("x");
  expect(task(["list"])).toEqual({ status: 0, stdout: "", stderr: "No open tasks.\n" });
});

test("tasks cannot be written to a folder, and that is no fault of the command line", () => {
  const { task, add } = openPlace();
  add("x");
  expect(task(["export", ".."])).toEqual({
    status: 1,
    stdout: "",
    stderr: 'toolwright: Cannot write "..": it is a folder\n',
  });
});

import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Child, call, initialize, textOf } from "../../../engine/test/stdio/child.js";
import { folder, main } from "./listening.js";

const WARNING =
  '[WARNING] No folder can be used: the server was started in a home folder or a whole disk. Name folders with --root FOLDER, or with "files": { "roots": […] } in toolwright.config.json\n';

const WORKSTATION =
  "fs_read_file fs_list_directory fs_tree fs_find fs_search fs_info fs_edit_file fs_write_file fs_move fs_delete_file fs_create_directory undo_last redo changes_since git_status git_log git_diff git_show git_list_branches git_add git_commit";

/** Serves in a folder, as a user whose home is another one. */
function serveIn(place: string, home: string, more = ""): Child {
  const script = `cd '${place}' && exec '${process.execPath}' '${main}' serve --no-config${more}`;
  const child = new Child("sh", ["-c", script], { HOME: home, XDG_STATE_HOME: path.join(home, "state") });
  child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" });
  return child;
}

describe.skipIf(process.platform === "win32")("a server that is started in a home or system folder", () => {
  const home = () => {
    const made = path.join(folder(), "ada");
    mkdirSync(made);
    return made;
  };
  const linked = (made: string) => {
    symlinkSync(made, `${made}-link`);
    return `${made}-link`;
  };

  test.each([
    ["the home", (made: string) => made],
    ["the home, through a link", linked],
    ["a folder of homes", (made: string) => path.dirname(made)],
    ["the root", () => "/"],
  ])("in %s says in one line that no folder is allowed and what to do, and serves all else", async (_name, place) => {
    const made = home();
    const child = serveIn(place(made), made);
    child.send(call(1, "echo", { text: "hello" }), call(2, "fs_file_exists", { path: `${made}/.bashrc` }));
    expect(textOf(await child.answer(1))).toBe("hello");
    expect(textOf(await child.answer(2))).toContain("no folder is allowed at the moment");
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stderr).toBe(WARNING);
  });

  test("may use the folders that it is given, from there", async () => {
    const made = home();
    for (const name of ["one", "two", "three"]) mkdirSync(path.join(made, name));
    const child = serveIn(made, made, " --root one --root two");
    for (const [id, name] of ["one", "two", "three"].entries())
      child.send(call(id + 1, "fs_file_exists", { path: `${made}/${name}/none.txt` }));
    expect(textOf(await child.answer(1))).toBe('{"exists":false}');
    expect(textOf(await child.answer(2))).toBe('{"exists":false}');
    expect(textOf(await child.answer(3))).toContain("lies outside the allowed folders");
    expect(child.stderr).toBe("");
  });

  test("in a folder below the home says nothing, and that folder may be used", async () => {
    const made = home();
    const work = path.join(made, "work");
    mkdirSync(work);
    const child = serveIn(work, made);
    child.send(call(1, "fs_file_exists", { path: "none.txt" }), call(2, "fs_file_exists", { path: "../none.txt" }));
    expect(textOf(await child.answer(1))).toBe('{"exists":false}');
    expect(textOf(await child.answer(2))).toBe(
      `Cannot use "../none.txt": it lies outside the allowed folders. Use a path inside ${realpathSync(work)}.`,
    );
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stderr).toBe("");
  });
});

test("the tools for files, edits, undo, git and search are listed by default", async () => {
  const child = serveIn(process.cwd(), folder());
  child.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const { tools } = (await child.answer(1))["result"] as { tools: { name: string }[] };
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(WORKSTATION.split(" ")));
  expect(new Set(names).size).toBe(names.length);
});

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../cli/listening.js";
import { openPlace, type Place, short } from "./run.js";

const has = (shell: string): boolean => spawnSync(shell, ["--version"], { stdio: "ignore" }).status === 0;

const print = (shell: string) => spawnSync(process.execPath, [main, "completion", shell], { encoding: "utf8" });

/** Puts the command on the path under its name, as an installation does. */
function install({ cwd, env }: Place): NodeJS.ProcessEnv {
  const bin = path.join(cwd, "bin");
  mkdirSync(bin);
  const file = path.join(bin, "toolwright");
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(file, 0o755);
  return { ...env, PATH: `${bin}${path.delimiter}${env["PATH"]}` };
}

describe.skipIf(!has("bash"))("in bash", () => {
  const program = `
    source <(toolwright completion bash)
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _toolwright "$1" "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"`;

  /** What is offered for the last word. */
  function offered(env: NodeJS.ProcessEnv, ...words: string[]): string[] {
    const args = ["--norc", "-c", program, "bash", "toolwright", ...words];
    const { stdout, stderr } = spawnSync("bash", args, { encoding: "utf8", env });
    expect(stderr).toBe("");
    return stdout.trim().split("\n");
  }

  test("completes commands, subcommands, options and their values", () => {
    const env = install(openPlace());
    expect(offered(env, "te")).toEqual(["template"]);
    expect(offered(env, "task", "ex")).toEqual(["export"]);
    expect(offered(env, "template", "")).toEqual(["list", "search", "show", "generate", "validate"]);
    expect(offered(env, "task", "list", "--")).toEqual(
      "--status --ready --all --parent --limit --quiet --database --actor --json --help".split(" "),
    );
    expect(offered(env, "task", "list", "--status", "")).toEqual(["pending", "in_progress", "completed", "failed"]);
    expect(offered(env, "task", "add", "x", "-p", "")).toEqual(["1", "2", "3", "4", "5"]);
    expect(offered(env, "config", "show", "--http")).toEqual(["--http"]);
  });

  test("ids are those of the tasks that there are, also in another database", () => {
    const place = openPlace();
    const env = install(place);
    const [one, two] = [place.add("one"), place.add("two", "-p", "1")];
    const other = place.add("other", "--database", path.join(place.cwd, "other.db"));
    expect(offered(env, "task", "done", "")).toEqual([short(two), short(one)]);
    expect(offered(env, "task", "done", short(one).slice(0, 3))).toContain(short(one));
    expect(offered(env, "task", "add", "x", "--after", "task_")).toEqual([two, one]);
    const elsewhere = ["task", "show", "--database", path.join(place.cwd, "other.db"), ""];
    expect(offered(env, ...elsewhere)).toEqual([short(other)]);
    expect(offered(env, "task", "list", "")).toEqual([""]);
  });
});

test.each(["zsh", "fish"].filter(has))("%s takes what is printed for it", (shell) => {
  const file = path.join(openPlace().cwd, "completion");
  writeFileSync(file, print(shell).stdout);
  expect(spawnSync(shell, ["-n", file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
});

test("an unknown shell is refused", () => {
  expect(print("zhs")).toMatchObject({
    status: 2,
    stdout: "",
    stderr:
      'toolwright: SHELL must be bash, zsh or fish, not "zhs"; did you mean zsh? Run "toolwright completion --help" for usage.\n',
  });
});

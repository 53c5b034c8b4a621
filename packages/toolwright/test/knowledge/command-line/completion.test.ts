import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../cli/listening.js";
import { openGuides } from "./run.js";

const hasBash = spawnSync("bash", ["--version"], { stdio: "ignore" }).status === 0;

describe.skipIf(!hasBash)("in bash", () => {
  const program = `
    source <(toolwright completion bash)
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _toolwright "$1" "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"`;

  test("completes subcommands, options, their values, and names of collections", async () => {
    const place = openGuides();
    await place.good("create", "guides");
    await place.good("create", "other", "--database", path.join(place.cwd, "other.db"));
    place.write("bin/toolwright", `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(path.join(place.cwd, "bin/toolwright"), 0o755);
    const env = { ...place.env, PATH: `${place.cwd}/bin${path.delimiter}${place.env["PATH"]}` };
    const offered = (...words: string[]): string[] => {
      const args = ["--norc", "-c", program, "bash", "toolwright", ...words];
      const { stdout, stderr } = spawnSync("bash", args, { encoding: "utf8", env });
      expect(stderr).toBe("");
      return stdout.trim().split("\n");
    };
    expect(offered("kb", "p")).toEqual(["promote", "pin"]);
    expect(offered("kb", "versions", "--")).toEqual(["--database", "--json", "--quiet", "--help"]);
    expect(offered("kb", "search", "x", "--mode", "")).toEqual(["hybrid", "words", "vector"]);
    expect(offered("kb", "versions", "")).toEqual(["guides"]);
    expect(offered("kb", "search", "x", "-c", "gu")).toEqual(["guides"]);
    expect(offered("kb", "delete", "--database", path.join(place.cwd, "other.db"), "")).toEqual(["other"]);
  });
});

import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/git/repository.js";

/** What `git config --list -z --show-scope` would write. */
const listing = (...entries: readonly (readonly [scope: string, key: string, value: string])[]): Buffer =>
  Buffer.from(entries.map(([scope, key, value]) => `${scope}\0${key}\n${value}\0`).join(""));

describe("readConfig", () => {
  it("switches off the hooks that a repository has in its configuration, each by its name", () => {
    const { hooksOff, overrides } = readConfig(
      listing(
        ["local", "hook.x.event", "post-index-change"],
        ["local", "hook.x.command", "./evil"],
        ["worktree", "hook.Two. = dots.event", "post-commit"],
        ["local", "hook.x.enabled", "true"],
        ["global", "hook.own.command", "mine"],
        ["local", "hook.jobs", "2"],
      ),
    );
    expect(hooksOff).toEqual([
      ["hook.x.enabled", "false"],
      ["hook.Two. = dots.enabled", "false"],
    ]);
    expect(overrides).toEqual([]);
  });

  it("refuses a hook whose name is no UTF-8", () => {
    const entry = Buffer.concat([Buffer.from("local\0hook."), Buffer.from([0xff]), Buffer.from(".command\n./evil\0")]);
    expect(() => readConfig(entry)).toThrow("which is no UTF-8");
  });

  it("counts hooks among what no honest repository has so many of", () => {
    const hooks = Array.from({ length: 501 }, (_, at) => ["local", `hook.h${at}.command`, "x"] as const);
    expect(readConfig(listing(...hooks.slice(1))).hooksOff).toHaveLength(500);
    expect(() => readConfig(listing(...hooks))).toThrow("more than 500 programs");
  });
});

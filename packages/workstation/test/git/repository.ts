import { execFileSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { onTestFinished, vi } from "vitest";
import { makeFolder, putFiles } from "../kit.js";

/** Whether git is on this machine; tests say that they skip where it is not. */
export const hasGit = (() => {
  try {
    execFileSync("git", ["version"]);
    return true;
  } catch {
    return false;
  }
})();

/** A real repository with fixed names and dates, so that its hashes are always the same. */
export interface TestRepository {
  readonly root: string;
  /** Runs git there, as a person would. */
  readonly git: (...args: readonly string[]) => string;
  readonly put: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  /** Puts files, stages all and commits. Each commit is a day after the one before. */
  readonly commit: (subject: string, files?: Readonly<Record<string, string | Uint8Array>>) => Promise<string>;
  readonly path: (...names: readonly string[]) => string;
}

/** Settings of a person who has told git who they are, in a home of their own. */
export async function makeHome(settings = "[user]\n\tname = Ada\n\temail = ada@example.com\n"): Promise<string> {
  const home = await makeFolder();
  await writeFile(path.join(home, ".gitconfig"), settings);
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CONFIG_HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  return home;
}

/** Makes an empty repository, with the branch main, in a folder of its own or in the one given. */
export async function makeRepository(root?: string, init: readonly string[] = []): Promise<TestRepository> {
  if (root === undefined) await makeHome();
  const folder = root ?? (await makeFolder());
  await mkdir(folder, { recursive: true });
  let day = 1;
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
      cwd: folder,
      encoding: "utf8",
      timeout: 20_000,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_AUTHOR_DATE: `2024-01-${String(day).padStart(2, "0")}T12:00:00+01:00`,
        GIT_COMMITTER_DATE: `2024-01-${String(day).padStart(2, "0")}T12:00:00+01:00`,
        GIT_EDITOR: ":",
        LC_ALL: "C",
      },
    });
  git("init", "--quiet", "--initial-branch=main", ...init);
  return {
    root: folder,
    git,
    put: (files) => putFiles(folder, files),
    async commit(subject, files = {}) {
      await putFiles(folder, files);
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", `--message=${subject}`);
      day += 1;
      return git("rev-parse", "HEAD").trim();
    },
    path: (...names) => path.join(folder, ...names),
  };
}

/** Writes a program that can be run. */
export async function putProgram(place: string, lines: readonly string[]): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, ["#!/bin/sh", ...lines, ""].join("\n"));
  await chmod(place, 0o755);
}

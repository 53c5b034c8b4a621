import type { JsonObject } from "@toolwright/engine";

/** One argument of a tool that takes a path, and a call in which that path is all that is wrong. */
export interface Slot {
  readonly tool: string;
  /** Where in the arguments, as `properties` names are joined by dots. */
  readonly at: string;
  args(given: string): JsonObject;
  /** Whether the tool changes what is there; then what is inside .git is refused, too. */
  readonly changes: boolean;
  /** Links are followed, or one that is named last stands for itself, or nothing is looked up, because git is asked of its past. */
  readonly links: "followed" | "taken" | "unseen";
  /** Whether what leads out may also come to nothing. */
  readonly isLoose: boolean;
}

const slot = (tool: string, at: string, args: Slot["args"], how: Partial<Slot> = {}): Slot => ({
  tool,
  at,
  args,
  changes: false,
  links: "followed",
  isLoose: false,
  ...how,
});

const reads = (tool: string, at = "path", more: JsonObject = {}): Slot =>
  slot(tool, at, (given) => ({ ...more, [at]: given }));

const changes = (tool: string, at = "path", more: JsonObject = {}, links: Slot["links"] = "followed"): Slot => ({
  ...reads(tool, at, more),
  changes: true,
  links,
});

/** Paths inside a repository, alone or in a list. */
const inGit = (tool: string, at: string, toValue: (given: string) => JsonObject[string]): Slot => ({
  ...slot(tool, at, (given) => ({ [at]: toValue(given) })),
  links: "unseen",
});

/** A glob or a page mark: what leads out may be refused or fit nothing, as long as nothing outside is shown. */
const seeks = (tool: string, at: string, more: JsonObject = {}): Slot => ({ ...reads(tool, at, more), isLoose: true });

const NODE = { argv: ["node", "-e", "0"] };

/** Every argument of the pack that takes a path. */
export const SLOTS: readonly Slot[] = [
  reads("fs_read_file"),
  reads("fs_list_directory"),
  reads("fs_tree"),
  seeks("fs_tree", "after"),
  reads("fs_find", "path", { glob: "**" }),
  seeks("fs_find", "glob"),
  reads("fs_file_exists"),
  reads("fs_directory_exists"),
  reads("fs_info"),
  reads("fs_search", "path", { pattern: "." }),
  seeks("fs_search", "glob", { pattern: "." }),
  seeks("fs_search", "after", { pattern: "." }),
  changes("fs_write_file", "path", { content: "x" }),
  changes("fs_edit_file", "path", { edits: [{ old: "i", new: "x" }] }),
  changes("fs_move", "from", { to: "moved" }, "taken"),
  changes("fs_move", "to", { from: "readme.md" }, "taken"),
  changes("fs_delete_file", "path", {}, "taken"),
  changes("fs_create_directory"),
  reads("ci_build", "project_path"),
  reads("ci_build", "projectPath"),
  reads("ci_test", "project_path"),
  reads("ci_test", "projectPath"),
  reads("ci_restore", "project_path"),
  reads("ci_restore", "projectPath"),
  reads("ci_lint", "project_path"),
  reads("ci_lint", "projectPath"),
  reads("ci_run_command", "cwd", NODE),
  reads("ci_run_command", "workingDirectory", NODE),
  reads("ci_workflows"),
  reads("process_start", "cwd", NODE),
  reads("git_status", "repository_path"),
  reads("git_log", "repository_path"),
  reads("git_diff", "repository_path"),
  reads("git_show", "repository_path"),
  reads("git_blame", "repository_path", { path: "src/main.ts" }),
  reads("git_list_branches", "repository_path"),
  reads("git_current_branch", "repository_path"),
  reads("git_branch_create", "repository_path", { name: "new" }),
  reads("git_add", "repository_path", { files: ["src/main.ts"] }),
  reads("git_commit", "repository_path", { message: "m" }),
  inGit("git_log", "path", (given) => given),
  inGit("git_diff", "paths", (given) => [given]),
  inGit("git_show", "path", (given) => given),
  inGit("git_blame", "path", (given) => given),
  inGit("git_add", "files", (given) => [given]),
];

/** Arguments that are text, but no paths; by tool, as in `at`. */
export const NO_PATHS: Readonly<Record<string, readonly string[]>> = {
  ci_run_command: ["argv", "command"],
  ci_test: ["test"],
  process_start: ["argv", "command"],
  process_read: ["id"],
  process_stop: ["id"],
  fs_search: ["pattern"],
  fs_write_file: ["content", "expected_hash"],
  fs_edit_file: ["edits.old", "edits.new", "expected_hash"],
  undo_last: ["to_checkpoint"],
  changes_since: ["since"],
  checkpoint: ["name"],
  workspace_begin: ["name"],
  git_log: ["revision", "author", "since", "until"],
  git_diff: ["target"],
  git_show: ["revision"],
  git_blame: ["revision"],
  git_branch_create: ["name", "start_point"],
  git_commit: ["message"],
};

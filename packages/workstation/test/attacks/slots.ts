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
  /** Whether the argument is accepted, and not in the schema. */
  readonly isOtherName: boolean;
}

const slot = (tool: string, at: string, args: Slot["args"], how: Partial<Slot> = {}): Slot => ({
  tool,
  at,
  args,
  changes: false,
  links: "followed",
  isLoose: false,
  isOtherName: false,
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

/** Another name of an argument, which the schema does not show. */
const otherName = (tool: string, at: string, more: JsonObject = {}): Slot => ({
  ...reads(tool, at, more),
  isOtherName: true,
});

/** A glob or a cursor: what leads out may be refused or fit nothing, as long as nothing outside is shown. */
const seeks = (tool: string, at: string, more: JsonObject = {}): Slot => ({ ...reads(tool, at, more), isLoose: true });

const NODE = { argv: ["node", "-e", "0"] };

/** Every argument of the pack that takes a path. */
export const SLOTS: readonly Slot[] = [
  reads("fs_read_file"),
  slot("fs_read_file", "paths", (given) => ({ paths: [given] })),
  otherName("fs_read_file", "file_path"),
  reads("fs_list_directory"),
  reads("fs_tree"),
  seeks("fs_tree", "cursor"),
  reads("fs_find", "path", { glob: "**" }),
  seeks("fs_find", "glob"),
  reads("fs_file_exists"),
  reads("fs_directory_exists"),
  reads("fs_info"),
  reads("fs_search", "path", { pattern: "." }),
  seeks("fs_search", "glob", { pattern: "." }),
  seeks("fs_search", "cursor", { pattern: "." }),
  changes("fs_write_file", "path", { content: "x" }),
  changes("fs_edit_file", "path", { edits: [{ old_string: "i", new_string: "x" }] }),
  changes("fs_move", "from", { to: "moved" }, "taken"),
  changes("fs_move", "to", { from: "readme.md" }, "taken"),
  changes("fs_delete_file", "path", {}, "taken"),
  changes("fs_create_directory"),
  reads("ci_build", "project_path"),
  otherName("ci_build", "projectPath"),
  reads("ci_test", "project_path"),
  otherName("ci_test", "projectPath"),
  reads("ci_restore", "project_path"),
  otherName("ci_restore", "projectPath"),
  reads("ci_lint", "project_path"),
  otherName("ci_lint", "projectPath"),
  reads("ci_run_command", "cwd", NODE),
  otherName("ci_run_command", "workingDirectory", NODE),
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
  ci_workflows: ["cursor"],
  process_start: ["argv", "command"],
  process_read: ["id"],
  process_stop: ["id"],
  fs_list_directory: ["cursor"],
  fs_find: ["cursor"],
  fs_search: ["pattern"],
  fs_write_file: ["content", "expected_hash"],
  fs_edit_file: ["edits.old_string", "edits.new_string", "expected_hash"],
  undo_last: ["to_checkpoint"],
  changes_since: ["since", "cursor"],
  checkpoint: ["name"],
  workspace_transaction: ["name"],
  workspace_begin: ["name"],
  workspace_commit: ["name"],
  workspace_rollback: ["name"],
  git_status: ["cursor"],
  git_log: ["revision", "author", "since", "until", "cursor"],
  git_diff: ["target", "cursor"],
  git_show: ["revision", "cursor"],
  git_blame: ["revision", "cursor"],
  git_list_branches: ["cursor"],
  git_branch_create: ["name", "start_point"],
  git_commit: ["message"],
};

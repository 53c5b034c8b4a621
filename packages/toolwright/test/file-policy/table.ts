import type { JsonObject } from "@toolwright/engine";

type Arguments = (path: string) => JsonObject;

/** Every argument of a tool that takes a path, and a call with it. A tool that takes a path and is not in this table fails the test. */
export const TOOL_PATHS: Readonly<Record<string, Arguments>> = {
  "fs_read_file.path": (path) => ({ path }),
  "fs_read_file.paths": (path) => ({ paths: [path] }),
  "fs_list_directory.path": (path) => ({ path }),
  "fs_tree.path": (path) => ({ path }),
  "fs_find.path": (path) => ({ path, glob: "**" }),
  "fs_search.path": (path) => ({ path, pattern: "HIDDEN|STATE|OUTSIDE" }),
  "fs_file_exists.path": (path) => ({ path }),
  "fs_directory_exists.path": (path) => ({ path }),
  "fs_info.path": (path) => ({ path }),
  "fs_write_file.path": (path) => ({ path, content: "changed" }),
  "fs_edit_file.path": (path) => ({ path, edits: [{ old_text: "e", new_text: "changed" }] }),
  "fs_move.from": (path) => ({ from: path, to: "moved.txt" }),
  "fs_move.to": (path) => ({ from: "readme.md", to: path }),
  "fs_delete_file.path": (path) => ({ path }),
  "fs_create_directory.path": (path) => ({ path }),
  "git_status.repository_path": (path) => ({ repository_path: path }),
  "git_log.repository_path": (path) => ({ repository_path: path }),
  "git_log.path": (path) => ({ path }),
  "git_diff.repository_path": (path) => ({ repository_path: path }),
  "git_diff.paths": (path) => ({ paths: [path] }),
  "git_show.repository_path": (path) => ({ repository_path: path }),
  "git_show.path": (path) => ({ path }),
  "git_blame.repository_path": (path) => ({ repository_path: path, path: "readme.md" }),
  "git_blame.path": (path) => ({ path }),
  "git_list_branches.repository_path": (path) => ({ repository_path: path }),
  "git_current_branch.repository_path": (path) => ({ repository_path: path }),
  "git_branch_create.repository_path": (path) => ({ repository_path: path, name: "attack" }),
  "git_add.repository_path": (path) => ({ repository_path: path, files: ["readme.md"] }),
  "git_add.files": (path) => ({ files: [path] }),
  "git_commit.repository_path": (path) => ({ repository_path: path, message: "attack" }),
  "ci_build.project_path": (path) => ({ project_path: path }),
  "ci_build.projectPath": (path) => ({ projectPath: path }),
  "ci_test.project_path": (path) => ({ project_path: path }),
  "ci_test.projectPath": (path) => ({ projectPath: path }),
  "ci_restore.project_path": (path) => ({ project_path: path }),
  "ci_restore.projectPath": (path) => ({ projectPath: path }),
  "ci_lint.project_path": (path) => ({ project_path: path }),
  "ci_lint.projectPath": (path) => ({ projectPath: path }),
  "ci_run_command.cwd": (cwd) => ({ argv: ["node", "--version"], cwd }),
  "ci_run_command.workingDirectory": (path) => ({ argv: ["node", "--version"], workingDirectory: path }),
  "ci_workflows.path": (path) => ({ path }),
  "process_start.cwd": (cwd) => ({ argv: ["node", "--version"], cwd }),
  "scaffold_project.target": (target) => ({
    toolchain: "go",
    templates: ["gitignore"],
    parameters: { project_name: "a" },
    target,
  }),
  "update_project.target": (target) => ({ target }),
  "analyze_complexity.project_path": (path) => ({ project_path: path }),
  "analyze_code_churn.project_path": (path) => ({ project_path: path }),
  "analyze_hotspots.project_path": (path) => ({ project_path: path }),
  "analyze_satd.project_path": (path) => ({ project_path: path }),
  "analyze_duplicates.project_path": (path) => ({ project_path: path }),
  "analyze_dag.project_path": (path) => ({ project_path: path }),
  "analyze_dag.focus": (focus) => ({ focus }),
  "generate_context.project_path": (path) => ({ project_path: path }),
  "quality_gate.project_path": (path) => ({ project_path: path }),
  "create_task.done_when.path": (path) => ({ description: "a", done_when: { path } }),
  "kb_ingest.paths": (path) => ({ collection: "attack", paths: [path] }),
  "kb_export.path": (path) => ({ collection: "attack", path }),
  "kb_import.path": (path) => ({ path }),
  "tmkb_query.files": (path) => ({ context: "a job queue", files: [path] }),
  "tmkb_review.files": (path) => ({ files: [path] }),
  "tmkb_checklist.files": (path) => ({ files: [path] }),
  "tmkb_coverage.path": (path) => ({ path }),
  "tmkb_validate.file": (file) => ({ file }),
};

/** Arguments with the name or description of a path that are none, and what they are. */
export const NO_TOOL_PATHS: Readonly<Record<string, string>> = {
  "fs_write_file.expected_hash": "a hash",
  "fs_search.glob": "a glob below the path that is searched",
  "git_diff.target": "a revision",
  "generate_template.resource_uri": "the URI of a template",
  "validate_template.resource_uri": "the URI of a template",
  "kb_ingest.texts.name": "the name of a text that is passed in the call",
  "tmkb_review.texts.path": "the name of a text that is passed in the call",
};

/** Whether the URIs of a resource template lead to files. */
export const TEMPLATES_WITH_PATHS: Readonly<Record<string, boolean>> = {
  "file:///{+path}": true,
  "template://{category}/{toolchain}/{variant}": false,
  "task://{id}": false,
  "kb://{collection}": false,
  "kb://{collection}/{document}": false,
  "threat://{id}": false,
  "result://{id}": false,
};

/** The arguments of prompts that take a path, with the other arguments that the prompt needs. */
export const PROMPT_PATHS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "commit-message.repository_path": {},
  "fix-failing-test.project_path": {},
  "refactor-function.file": { function: "inside" },
  "review-hotspots.project_path": {},
  "review-for-authorization.path": {},
};

/** Every positional argument of a command of a pack that takes a path, and a command line with it. */
export const COMMAND_PATHS: Readonly<Record<string, (path: string) => readonly string[]>> = {
  "new.folder": (path) => ["new", "pack", path, "description=x"],
  "analyze complexity.path": (path) => ["analyze", "complexity", path],
  "analyze churn.path": (path) => ["analyze", "churn", path],
  "analyze hotspots.path": (path) => ["analyze", "hotspots", path],
  "analyze gate.path": (path) => ["analyze", "gate", path],
  "analyze satd.path": (path) => ["analyze", "satd", path],
  "analyze duplicates.path": (path) => ["analyze", "duplicates", path],
  "analyze dag.path": (path) => ["analyze", "dag", path],
  "analyze context.path": (path) => ["analyze", "context", path],
  "task import.file": (path) => ["task", "import", path],
  "kb ingest.paths": (path) => ["kb", "ingest", "attack", path],
  "kb import.path": (path) => ["kb", "import", path],
  "threats validate.target": (path) => ["threats", "validate", path],
  "threats review.path": (path) => ["threats", "review", path],
  "threats coverage.path": (path) => ["threats", "coverage", path],
};

/** Arguments of commands that name a file for the result: a person writes it where the shell could. */
export const COMMAND_OUTPUTS: Readonly<Record<string, string>> = {
  "task export.file": "the file for the exported tasks",
  "kb export.path": "the file for the exported collection",
};

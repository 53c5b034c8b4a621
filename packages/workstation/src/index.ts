import { definePack } from "@toolwright/kit/pack";
import { SETTINGS } from "./settings.js";

const names = (text: string): readonly string[] => text.split(" ");

const TOOLSETS = {
  files: names(
    "fs_read_file fs_list_directory fs_tree fs_find fs_search fs_info fs_edit_file fs_write_file fs_move fs_delete_file fs_create_directory",
  ),
  changes: names("undo_last redo changes_since checkpoint workspace_transaction"),
  git: names("git_status git_log git_diff git_show git_blame git_list_branches git_branch_create git_add git_commit"),
  builds: names("ci_build ci_test ci_restore ci_lint ci_workflows ci_run_command ci_diagnostics"),
  processes: names("process_start process_read process_stop"),
  debug: ["debug_get_all"],
};

/** Files, edits with undo, git, builds and programs. `open` loads the rest. */
export default definePack({
  name: "workstation",
  summary: "Files, edits with undo, git, builds and programs",
  settings: SETTINGS,
  toolsets: TOOLSETS,
  optionalTools: [
    "git_blame",
    "git_branch_create",
    "checkpoint",
    "workspace_transaction",
    ...TOOLSETS.builds,
    ...TOOLSETS.processes,
    ...TOOLSETS.debug,
  ],
  replacedTools: names(
    "fs_file_exists fs_directory_exists git_current_branch workspace_begin workspace_commit workspace_rollback debug_print_env debug_get_server_info debug_get_http_headers debug_get_user_claims",
  ),
  prevalidated: true,
  open: async (settings, host) => (await import("./open.js")).openPack(settings, host),
});

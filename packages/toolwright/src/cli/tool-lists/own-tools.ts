const words = (text: string): readonly string[] => text.split(" ");

/** The tools of our packs, by the pack and by the toolset that each says it belongs to: what can be named before any pack is open. */
export const OWN_TOOLS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  basics: { basics: words("echo current_time") },
  workstation: {
    files: words(
      "fs_read_file fs_list_directory fs_tree fs_find fs_search fs_file_exists fs_directory_exists fs_info fs_write_file fs_edit_file fs_move fs_delete_file fs_create_directory",
    ),
    changes: words("undo_last redo changes_since checkpoint workspace_begin workspace_commit workspace_rollback"),
    git: words(
      "git_status git_log git_diff git_show git_blame git_list_branches git_current_branch git_branch_create git_add git_commit",
    ),
    builds: words("ci_build ci_test ci_restore ci_lint ci_run_command ci_workflows ci_diagnostics"),
    processes: words("process_start process_read process_stop"),
    debug: words("debug_print_env debug_get_server_info debug_get_http_headers debug_get_user_claims debug_get_all"),
  },
  templates: {
    templates: words(
      "generate_template list_templates validate_template scaffold_project search_templates update_project",
    ),
  },
  analysis: {
    analysis: words(
      "analyze_complexity analyze_code_churn analyze_hotspots analyze_satd analyze_duplicates analyze_dag generate_context quality_gate",
    ),
  },
  todo: {
    tasks: words("create_task list_tasks get_task update_task delete_task add_blocker remove_blocker claim_task"),
    "tasks-extra": words("task_tree task_history undo_last_task check_task export_tasks import_tasks"),
  },
  knowledge: {
    documents: words(
      "kb_hybrid_search kb_get_document kb_resolve_citations kb_stats kb_list_collections kb_answer kb_compose_flow kb_create kb_ingest",
    ),
    collections: words(
      "kb_delete kb_versions kb_promote kb_rollback kb_pin kb_evaluate kb_export kb_import kb_register_tool kb_activate_tool kb_deactivate_tool",
    ),
  },
  threats: {
    threats: words("tmkb_query tmkb_list tmkb_get tmkb_review tmkb_checklist tmkb_coverage tmkb_validate"),
  },
};

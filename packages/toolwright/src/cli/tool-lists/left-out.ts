/**
 * The tools that are off unless somebody asks for them, so that the rest stays within what a model should be given. None is
 * named by the documents that the packs come from, and people can do what most of them do on the command line.
 */
export const LEFT_OUT: readonly string[] = [
  "kb_delete",
  "kb_versions",
  "kb_promote",
  "kb_rollback",
  "kb_pin",
  "kb_evaluate",
  "kb_export",
  "kb_import",
  "kb_register_tool",
  "kb_activate_tool",
  "kb_deactivate_tool",
  "export_tasks",
  "import_tasks",
  "task_history",
  "tmkb_list",
  "tmkb_checklist",
  "tmkb_coverage",
  "tmkb_validate",
  "ci_workflows",
];

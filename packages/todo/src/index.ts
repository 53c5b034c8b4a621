import { definePack } from "@toolwright/kit/pack";
import { SETTINGS } from "./settings.js";

/** The tools that are listed, by toolset. */
const TOOLSETS = {
  tasks: [
    "create_task",
    "list_tasks",
    "get_task",
    "update_task",
    "delete_task",
    "add_blocker",
    "remove_blocker",
    "claim_task",
  ],
  "tasks-extra": ["task_tree", "task_history", "undo_last_task", "check_task", "export_tasks", "import_tasks"],
} as const;

/** Tasks that people and agents share: tools, resources, prompts, the command `task` and dashboard pages. What does the work is loaded by `open`. */
export default definePack({
  name: "todo",
  summary: "Tasks that people and agents share",
  settings: SETTINGS,
  toolsets: TOOLSETS,
  optionalTools: TOOLSETS["tasks-extra"],
  replacedTools: ["get_blockers", "ready_tasks", "search_tasks", "release_task"],
  commands: { task: async () => (await import("./commands/task.js")).task },
  prevalidated: true,
  async open(settings, host) {
    const [{ TodoContext }, { createResourceUpdates }, { tools }, { resources }, { prompts }, { todoPages }] =
      await Promise.all([
        import("./todo-context.js"),
        import("./resource-updates.js"),
        import("./tools/tools.js"),
        import("./resources.js"),
        import("./prompts.js"),
        import("./pages/index.js"),
      ]);
    const updates = createResourceUpdates(host);
    const todo = new TodoContext(settings, host, (store) => updates.start(store));
    return {
      // Only one pack of a server has the tool `undo_last`.
      tools: tools(todo, { ownsUndo: !host.toolIsOn("undo_last") }),
      resources: resources(todo),
      prompts: prompts(todo),
      pages: todoPages(todo),
      async close() {
        await updates.stop();
        await todo.close();
      },
    };
  },
});

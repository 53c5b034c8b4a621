import { pack } from "@toolwright/engine";
import { todoPages } from "./pages/index.js";
import { prompts } from "./prompts.js";
import { ResourceUpdates } from "./resource-updates.js";
import { resources } from "./resources.js";
import { SETTINGS } from "./settings.js";
import { openTodoContext } from "./todo-context.js";
import { tools } from "./tools/tools.js";

export { openTodoContext } from "./todo-context.js";

/** What is around the pack. */
interface Surroundings {
  readonly now?: () => Date;
  /** Whether `undo_last` means tasks: where files are worked on too it means those, also if the tool for them is switched off. */
  readonly hasUndo?: boolean;
}

/** Tasks that people and agents share; they are kept in `state` unless the settings name a database. */
export const createTodo = (state: string, { now = () => new Date(), hasUndo = true }: Surroundings = {}) =>
  pack({
    name: "todo",
    settings: SETTINGS,
    prevalidated: true,
    async open(settings, host) {
      const announcer = new ResourceUpdates(host);
      const todo = openTodoContext(settings, state, host, now, (store) => announcer.start(store));
      return {
        tools: tools(todo, hasUndo),
        resources: resources(todo),
        prompts: prompts(todo),
        pages: todoPages(todo),
        async close() {
          announcer.stop();
          await todo.close();
        },
      };
    },
  });

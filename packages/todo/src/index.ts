import { pack } from "@toolwright/engine";
import { Announcer } from "./announcer.js";
import { openDesk } from "./open-desk.js";
import { prompts } from "./prompts/prompts.js";
import { resources } from "./resources/resources.js";
import { SETTINGS } from "./settings.js";
import { tools } from "./tools/tools.js";

export { openDesk } from "./open-desk.js";

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
      const announcer = new Announcer(host);
      const desk = openDesk(settings, state, host, now, (ledger) => announcer.start(ledger));
      return {
        tools: tools(desk, hasUndo),
        resources: resources(desk),
        prompts: prompts(desk),
        async close() {
          announcer.stop();
          await desk.close();
        },
      };
    },
  });

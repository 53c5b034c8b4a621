import { pack } from "@toolwright/engine";
import { Announcer } from "./announcer.js";
import { openDesk } from "./open-desk.js";
import { prompts } from "./prompts/prompts.js";
import { resources } from "./resources/resources.js";
import { SETTINGS } from "./settings.js";
import { tools } from "./tools/tools.js";

export { openDesk } from "./open-desk.js";

/** Tasks that people and agents share; they are kept in `state` unless the settings name a database. */
export const createTodo = (state: string, now: () => Date = () => new Date()) =>
  pack({
    name: "todo",
    settings: SETTINGS,
    checked: true,
    async open(settings, host) {
      const announcer = new Announcer(host);
      const desk = openDesk(settings, state, host, now, (ledger) => announcer.start(ledger));
      return {
        tools: tools(desk),
        resources: resources(desk),
        prompts: prompts(desk),
        async close() {
          announcer.stop();
          await desk.close();
        },
      };
    },
  });

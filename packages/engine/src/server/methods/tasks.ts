import type { Core } from "../core.js";
import type { Exchange } from "../exchange.js";
import type { TaskDesk } from "../tasks/desk.js";
import type { Method } from "./method.js";

/** A method that the desk for tasks serves; a server without tasks does not have it. */
const served = (method: "get" | "result" | "list" | "update" | "cancel"): Method => ({
  isOffered: ({ tasks }: Core) => tasks !== undefined,
  run: (exchange: Exchange) => (exchange.core.tasks as TaskDesk)[method](exchange),
});

/** `tasks/get` */
export const getTask: Method = served("get");

/** `tasks/result` */
export const taskResult: Method = served("result");

/** `tasks/list` */
export const listTasks: Method = served("list");

/** `tasks/update` */
export const updateTask: Method = served("update");

/** `tasks/cancel` */
export const cancelTask: Method = served("cancel");

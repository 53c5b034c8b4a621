import { encodeId, encodeNotification } from "../../jsonrpc/codec.js";
import { invalidParams, limitExceeded, needsStream } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { LISTS, resourceTopic, taskTopic } from "../../protocol/change.js";
import { SUBSCRIPTION_KEY } from "../../revisions/meta-keys.js";
import type { Listener } from "../changes.js";
import type { Exchange } from "../exchange.js";
import type { TaskDesk } from "../tasks/desk.js";
import type { Method } from "./method.js";
import { findResource } from "./resources.js";

/** `subscriptions/listen`: a call that lasts until the client cancels it or the server closes. */
export const listen: Method = {
  run(exchange) {
    const { session } = exchange.link;
    const { subscriptions: most } = exchange.core.settings.limits;
    const { claims } = exchange.link;
    if (claims?.takesStream === false) throw needsStream(exchange.request.method);
    const wanted = readWanted(exchange);
    if (session.subscriptions >= most)
      throw limitExceeded("subscriptions", `${most} subscriptions are open; end one first`);
    session.subscriptions += 1;
    exchange.lifetime.whenOver(() => {
      session.subscriptions -= 1;
    });
    exchange.conclude = () => {
      // Over HTTP the end of its stream says the same.
      if (claims === undefined)
        exchange.send(encodeNotification("notifications/cancelled", `{"requestId":${encodeId(exchange.request.id)}}`));
      exchange.settle({ kind: "plain", body: {}, meta: tagOf(exchange) });
    };
    exchange.stayOpen();
    const { tasks } = exchange.core;
    const begun = wanted.resources.map(({ watched }) => watched()).filter((each) => each !== undefined);
    if (wanted.tasks === undefined && begun.length === 0) acknowledge(exchange, wanted);
    // The tasks last: what was known of them before the rest has taken its time may not be true any more.
    else
      Promise.all(begun)
        .then(() => wanted.tasks && tasks?.agree(exchange, wanted.tasks))
        .then(
          (found) => acknowledge(exchange, wanted, found),
          (error: unknown) => exchange.fail(error),
        );
    return undefined;
  },
};

const tagOf = ({ request }: Exchange): string => `"${SUBSCRIPTION_KEY}":${encodeId(request.id)}`;

/** A task whose changes a call may hear of. */
type AgreedTask = Awaited<ReturnType<TaskDesk["agree"]>>[number];

/** Says what will be told, and tells it from now on. */
function acknowledge(exchange: Exchange, { shown, topics }: Wanted, tasks: readonly AgreedTask[] = []): void {
  // The client may have cancelled while its tasks were looked up, and the end of a call comes only once.
  if (exchange.isDone) return;
  const notify = (method: string, rest: string) =>
    exchange.send(encodeNotification(method, `{${rest}"_meta":{${tagOf(exchange)}}}`));
  const ids = tasks.map(({ id }) => id);
  const notifications = { ...shown, ...(ids.length > 0 && { taskIds: ids }) };
  notify("notifications/subscriptions/acknowledged", `"notifications":${JSON.stringify(notifications)},`);
  let told: Promise<void> = Promise.resolve();
  const tellTask = (id: string): void => {
    // One after the other, so that an old state never comes after a newer one.
    told = told
      .then(() => exchange.core.tasks?.show(exchange, id))
      .then((members) => members && notify("notifications/tasks", `${members},`))
      .then(undefined, (error: unknown) => exchange.fail(error));
  };
  const tell: Listener = ({ change, method, members }) => {
    if (change.of === "task") tellTask(change.id);
    else notify(method, members && `${members},`);
  };
  for (const topic of [...topics, ...ids.map(taskTopic)]) {
    exchange.lifetime.whenOver(exchange.core.changes.listen(topic, tell));
  }
  // Nothing will change there any more: who listens a moment too late would wait for ever.
  for (const { id, isFinal } of tasks) if (isFinal) tellTask(id);
  // The input may have ended before it was its turn.
  if (exchange.link.session.isClosed) exchange.conclude?.();
}

/** A resource that a call listens to, as it is found and as the client has written it. */
type Watched = NonNullable<ReturnType<typeof findResource>> & { readonly given: string };

/** What a call listens to, and how the acknowledgement shows it. */
interface Wanted {
  readonly shown: JsonObject;
  readonly topics: readonly string[];
  readonly resources: readonly Watched[];
  /** The tasks that it names. */
  readonly tasks: readonly string[] | undefined;
}

/** The subset of what was asked for that this server honours. */
function readWanted(exchange: Exchange): Wanted {
  const { core, request } = exchange;
  const asked = request.params?.["notifications"];
  if (!isObject(asked)) throw invalidParams('Invalid params: "notifications" must be an object');
  for (const list of LISTS) {
    if (!["boolean", "undefined"].includes(typeof asked[`${list}ListChanged`]))
      throw invalidParams(`Invalid params: notifications.${list}ListChanged must be true or false`);
  }
  const told = core.settings.dynamic ? LISTS.filter((list) => core.offered.has(list)) : [];
  const lists = told.filter((list) => asked[`${list}ListChanged`] === true);
  const resources = readResources(exchange, asked["resourceSubscriptions"]);
  return {
    shown: {
      ...Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true])),
      ...(resources.length > 0 && { resourceSubscriptions: resources.map(({ given }) => given) }),
    },
    topics: [...lists, ...resources.map(({ uri }) => resourceTopic(uri))],
    resources,
    tasks: readTexts("taskIds", "ids", asked["taskIds"]),
  };
}

function readTexts(member: string, word: string, named: Json | undefined): readonly string[] | undefined {
  if (named === undefined) return undefined;
  if (!Array.isArray(named) || named.some((text) => typeof text !== "string"))
    throw invalidParams(`Invalid params: notifications.${member} must be a list of ${word}`);
  return named as string[];
}

/** The resources that can be watched, of those that were named. */
function readResources({ core }: Exchange, named: Json | undefined): Watched[] {
  const uris = readTexts("resourceSubscriptions", "URIs", named) ?? [];
  const { watchedResources: most } = core.settings.limits;
  if (uris.length > most) throw limitExceeded("watchedResources", `${most} resources can be named at once`);
  return uris.flatMap((given) => {
    const found = findResource(core, given);
    return found === undefined ? [] : [{ ...found, given }];
  });
}

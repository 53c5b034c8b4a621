import { invalidParams, limitExceeded, streamRequired } from "../../jsonrpc/errors.js";
import { encodeId, encodeNotification, isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import type { Outcome } from "../../protocol/outcome.js";
import { LIST_KINDS, resourceTopic, taskTopic } from "../../protocol/types.js";
import { SUBSCRIPTION_ID_KEY } from "../../revisions/meta-keys.js";
import type { ChangeListener } from "../changes.js";
import type { Method } from "../method.js";
import type { RequestContext } from "../request-context.js";
import { findResource, readUri, requireResource, tryNormalizeUri } from "./resources.js";
import { isFinalTask, type TaskRecord } from "./tasks/task-store.js";

const EMPTY_RESULT: Outcome = { kind: "text", body: "{}" };

/** What a subscription takes in memory, besides its URI. */
const SUBSCRIPTION_BYTES = 512;

/** `resources/subscribe`: the session is notified of changes. */
export const subscribe: Method = {
  async handle(ctx) {
    const { session } = ctx.connection;
    const { resourceSubscriptions: limit } = ctx.state.settings.limits;
    const { uri, definition } = requireResource(ctx);
    const isNew = !session.isSubscribed(uri);
    if (isNew && session.subscriptionCount >= limit)
      throw limitExceeded("resourceSubscriptions", `${limit} resources are subscribed; unsubscribe from one first`);
    if (isNew) session.subscribe(uri, ctx.state.kept.hold(ctx.connection, SUBSCRIPTION_BYTES + 2 * uri.length));
    try {
      await definition.onSubscribe?.();
    } catch (error) {
      if (isNew) session.unsubscribe(uri);
      throw error;
    }
    return EMPTY_RESULT;
  },
};

/** `resources/unsubscribe`: has no effect without a subscription. */
export const unsubscribe: Method = {
  handle({ request, connection }) {
    connection.session.unsubscribe(readUri(request).uri);
    return EMPTY_RESULT;
  },
};

/** `subscriptions/listen`: a call that lasts until the client cancels it or the server closes. */
export const listen: Method = {
  handle(ctx) {
    const { session, headerValidation } = ctx.connection;
    const { subscriptions: limit } = ctx.state.settings.limits;
    if (headerValidation?.acceptsStream === false) throw streamRequired(ctx.request.method);
    const wanted = parseListenRequest(ctx);
    if (session.subscriptions >= limit)
      throw limitExceeded("subscriptions", `${limit} subscriptions are open; end one first`);
    const topics = [...wanted.topics, ...(wanted.tasks ?? [])];
    const bytes = topics.reduce((sum, topic) => sum + SUBSCRIPTION_BYTES + 2 * topic.length, 0);
    ctx.onEnd(ctx.state.kept.hold(ctx.connection, bytes));
    session.subscriptions += 1;
    ctx.onEnd(() => {
      session.subscriptions -= 1;
    });
    ctx.concludingOutcome = () => {
      // Over HTTP the end of the stream says the same.
      if (headerValidation === undefined)
        ctx.send(encodeNotification("notifications/cancelled", `{"requestId":${encodeId(ctx.request.id)}}`));
      return { kind: "plain", body: {}, meta: subscriptionMeta(ctx) };
    };
    return new Promise<Outcome>((_resolve, reject) => startListening(ctx, wanted, reject));
  },
};

type ListenRequest = ReturnType<typeof parseListenRequest>;

/** Waits for the resources and looks up the tasks, if there are any; then acknowledges the subscription. */
function startListening(ctx: RequestContext, wanted: ListenRequest, onError: (error: unknown) => void): void {
  const started = wanted.resources
    .map(({ definition }) => definition.onSubscribe?.())
    .filter((each) => each instanceof Promise);
  if (wanted.tasks === undefined && started.length === 0) return acknowledge(ctx, onError, wanted);
  // The tasks last: their state may change while the resources take their time.
  Promise.all(started)
    .then(() => wanted.tasks && ctx.state.tasks?.filterSubscribable(ctx, wanted.tasks))
    .then((tasks) => acknowledge(ctx, onError, wanted, tasks))
    .catch(onError);
}

const subscriptionMeta = ({ request }: RequestContext): string => `"${SUBSCRIPTION_ID_KEY}":${encodeId(request.id)}`;

/** Acknowledges the subscription and starts sending notifications. */
function acknowledge(
  ctx: RequestContext,
  onError: (error: unknown) => void,
  { acknowledged, topics }: ListenRequest,
  tasks: readonly TaskRecord[] = [],
): void {
  // The client may have cancelled while its tasks were looked up.
  if (ctx.isDone) return;
  const notify = (method: string, rest: string) =>
    ctx.send(encodeNotification(method, `{${rest}"_meta":{${subscriptionMeta(ctx)}}}`));
  const ids = tasks.map(({ id }) => id);
  const notifications = { ...acknowledged, ...(ids.length > 0 && { taskIds: ids }) };
  notify("notifications/subscriptions/acknowledged", `"notifications":${JSON.stringify(notifications)},`);
  let lastSent: Promise<void> = Promise.resolve();
  const notifyTask = (id: string): void => {
    // One after the other, so that an old state never arrives after a newer one.
    lastSent = lastSent
      .then(() => ctx.state.tasks?.notificationMembers(ctx, id))
      .then((members) => members && notify("notifications/tasks", `${members},`))
      .then(undefined, onError);
  };
  const onChange: ChangeListener = ({ change, method, paramsText }) => {
    if (change.kind === "task") notifyTask(change.id);
    else notify(method, paramsText && `${paramsText},`);
  };
  for (const topic of [...topics, ...ids.map(taskTopic)]) {
    ctx.onEnd(ctx.state.changes.subscribe(topic, onChange));
  }
  // A final task never changes again, so its state is sent now.
  for (const task of tasks) if (isFinalTask(task)) notifyTask(task.id);
  // The session may have ended in the meantime.
  if (ctx.connection.session.isClosed) ctx.conclude();
}

/** What the client subscribes to, of what this server supports, and the acknowledgement. */
function parseListenRequest(ctx: RequestContext) {
  const { state, request } = ctx;
  const requested = request.params?.["notifications"];
  if (!isObject(requested)) throw invalidParams('Invalid params: "notifications" must be an object');
  for (const list of LIST_KINDS) {
    if (!["boolean", "undefined"].includes(typeof requested[`${list}ListChanged`]))
      throw invalidParams(`Invalid params: notifications.${list}ListChanged must be true or false`);
  }
  const supported = state.settings.dynamic ? LIST_KINDS.filter((list) => state.declared.has(list)) : [];
  const lists = supported.filter((list) => requested[`${list}ListChanged`] === true);
  const resources = parseResources(ctx, requested["resourceSubscriptions"]);
  const acknowledged: JsonObject = {
    ...Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true])),
    ...(resources.length > 0 && { resourceSubscriptions: resources.map(({ requestedUri }) => requestedUri) }),
  };
  return {
    acknowledged,
    topics: [...lists, ...resources.map(({ uri }) => resourceTopic(uri))],
    resources,
    tasks: parseStrings("taskIds", requested["taskIds"]),
  };
}

function parseStrings(member: string, value: Json | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.some((text) => typeof text !== "string"))
    throw invalidParams(`Invalid params: notifications.${member} must be an array of strings`);
  return value as string[];
}

/** The resources that exist, of those in the request, with the URIs as the client sent them. */
function parseResources(ctx: RequestContext, value: Json | undefined) {
  const uris = parseStrings("resourceSubscriptions", value) ?? [];
  const { resourceSubscriptions: limit } = ctx.state.settings.limits;
  if (uris.length > limit)
    throw limitExceeded("resourceSubscriptions", `at most ${limit} resources can be named at once`);
  return uris.flatMap((requestedUri) => {
    const uri = tryNormalizeUri(requestedUri);
    const found = uri === undefined ? undefined : findResource(ctx, uri);
    return found === undefined ? [] : [{ ...found, requestedUri }];
  });
}

import { encodeId, encodeNotification } from "../../jsonrpc/codec.js";
import { invalidParams, limitExceeded } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import type { Change } from "../../protocol/change.js";
import { SUBSCRIPTION_KEY } from "../../revisions/meta-keys.js";
import type { Exchange } from "../exchange.js";
import type { Method } from "./method.js";

/** `subscriptions/listen`: a call that lasts until the client cancels it or the server closes. */
export const listen: Method = {
  run(exchange) {
    const { session } = exchange.link;
    const { subscriptions: most } = exchange.core.settings.limits;
    const wanted = readWanted(exchange);
    if (session.subscriptions >= most)
      throw limitExceeded("subscriptions", `${most} subscriptions are open; end one first`);
    const tag = `"${SUBSCRIPTION_KEY}":${encodeId(exchange.request.id)}`;
    const notify = (method: string, rest: string) =>
      exchange.send(encodeNotification(method, `{${rest}"_meta":{${tag}}}`));

    notify("notifications/subscriptions/acknowledged", `"notifications":${JSON.stringify(wanted)},`);
    const stop = exchange.core.changes.listen((change) => {
      if (wanted[wordFor(change)] === true) notify(`notifications/${change.of}/list_changed`, "");
    });
    session.subscriptions += 1;
    exchange.lifetime.whenOver(() => {
      session.subscriptions -= 1;
      stop();
    });
    exchange.onConclude = () => {
      exchange.send(encodeNotification("notifications/cancelled", `{"requestId":${encodeId(exchange.request.id)}}`));
      exchange.settle({ kind: "plain", body: {}, meta: tag });
    };
    exchange.stayOpen();
    return undefined;
  },
};

/** The subset of what was asked for that this server honours. */
function readWanted({ core, request }: Exchange): JsonObject {
  const asked = request.params?.["notifications"];
  if (!isObject(asked)) throw invalidParams('Invalid params: "notifications" must be an object');
  for (const [name, value] of Object.entries(asked)) {
    if (name.endsWith("ListChanged") && typeof value !== "boolean")
      throw invalidParams(`Invalid params: notifications.${name} must be true or false`);
  }
  return asked["toolsListChanged"] === true && core.settings.dynamic ? { toolsListChanged: true } : {};
}

const wordFor = (change: Change): string => `${change.of}ListChanged`;

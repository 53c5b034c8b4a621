import type { OpenChannel } from "./channel.js";
import { type ClientOptions, DEFAULTS, type Target } from "./options.js";

/** How to open a channel to a target. What only one kind of channel needs is loaded with it. */
export function openerFor(target: Target, options: ClientOptions): OpenChannel {
  const { messageBytes = DEFAULTS.messageBytes } = options;
  return async (ear, giveUp) => {
    if ("command" in target) return (await import("./stdio.js")).openStdio(target, messageBytes, ear);
    if ("socket" in target) return (await import("./socket.js")).openSocket(target.socket, messageBytes, ear, giveUp);
    if ("server" in target) return (await import("./memory.js")).openToServer(target.server, target.principal, ear);
    if ("sse" in target)
      return (await import("./http-sse.js")).openHttpSse(String(target.sse), options, messageBytes, ear, giveUp);
    const url = String(target.url);
    const { protocol, href } = URL.canParse(url) ? new URL(url) : { protocol: "", href: url };
    if (protocol === "ws:" || protocol === "wss:")
      return (await import("./websocket.js")).openWebSocket(href, options, messageBytes, ear, giveUp);
    if (protocol === "http:" || protocol === "https:")
      return new (await import("./http.js")).HttpChannel(href, options, messageBytes, ear);
    throw new TypeError(
      `Cannot connect to ${href}: use http:, https:, ws: or wss:, or give a command, sse, socket or server`,
    );
  };
}

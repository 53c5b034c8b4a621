import { sendOpening } from "./checks/http-guards.js";
import type { HttpContext, ProgramContext } from "./context.js";
import { NEWEST_HANDSHAKE, OLDEST } from "./eras.js";
import { shorten } from "./wire/evidence.js";
import { isEndpoint } from "./wire/http-wire.js";
import { sayReply } from "./wire/reply.js";

/** Why a program cannot be examined; undefined = it speaks. */
export async function reachProgram(context: ProgramContext): Promise<string | undefined> {
  const { opening, program } = await context.share(NEWEST_HANDSHAKE);
  if (opening.kind === "answer" || program.heard.length > 0) return undefined;
  const said = program.stderr.trim();
  const error = said.search(/^[A-Z]?\w*Error(?: \[\w+\])?: /m);
  // Node shows an excerpt of the source, and a mark below it, before what was thrown, which is what counts.
  const shown = error === -1 ? said.replace(/^[^]*^\s*\^+\n/m, "").slice(-600) : said.slice(error);
  const words = said === "" ? "It said nothing on stderr." : `It said: ${shorten(shown, 600)}`;
  return `There was no answer to initialize: ${opening.kind === "end" ? sayReply(opening) : opening.reason}. ${words}`;
}

/** Why a URL cannot be examined; undefined = there is a server of MCP. */
export async function reachHttp(context: HttpContext): Promise<string | undefined> {
  const answer = await sendOpening(context, {});
  if (answer.status === 0) return `There is no connection: ${answer.reason}.`;
  if (answer.messages.length > 0 || answer.status === 401 || answer.status === 403) return undefined;
  const stream = await context.wire.send({
    method: "GET",
    headers: { accept: "text/event-stream" },
    until: "endpoint",
  });
  if (isEndpoint(stream.text))
    return `It is a server of HTTP+SSE (${OLDEST.version}), which is not examined; toolwright list and call can use it. If it has a URL for Streamable HTTP, give that one.`;
  return `It answers HTTP ${answer.status}, but not as a server of MCP does. Look at the path of the URL.`;
}

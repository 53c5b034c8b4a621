import { isDeepStrictEqual } from "node:util";
import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";

/*
 * A golden conversation of a profile, in the format of those of the engine:
 *
 *   === a title          a new connection, to a new server; tables name conversations by their titles
 *   # prose
 *   @ over http          serves over HTTP in place of stdio; each message is the body of a POST
 *   @ serve --read-only  further words of the command line
 *   @ run git init -q    a command in the folder of the server, before it starts
 *   → a message of the client; the server is given it as one line, JSON or not. Messages without `←` between them are sent together
 *   ← a message of the server, in the order of their arrival. Over HTTP, `← HTTP 404` is a status other than 200 and 202
 *   ! a line of the server's log, without its time; lines are expected in this order, with any others between them
 *
 * A line that begins with two spaces continues the message above. In `→`, `‹1000 x›` is so many letters. In `←` and `!`, `‹any›` is any value,
 * or any part of a text; in `←`, `"‹rest›"` in an array is any elements, `"‹rest›": true` in an object any further members. JSON
 * is compared as values: spaces and the order of members do not matter. When the client has said all, stdin ends, and the server must end
 * with 0 and nothing else to say.
 */

/** Messages that are sent together, and what the server says then. */
interface Turn {
  readonly client: string[];
  readonly server: string[];
}

/** One connection of a file of conversations. */
export interface Conversation {
  readonly title: string;
  readonly isHttp: boolean;
  readonly words: readonly string[];
  readonly commands: readonly string[];
  readonly turns: readonly Turn[];
  readonly log: readonly string[];
}

/** Reads the conversations of a file. Throws if a line is none of the format. */
export function readConversations(file: string): readonly Conversation[] {
  const [prose, ...parts] = file.replaceAll(/\n {2,}/g, " ").split(/^=== /m);
  if (prose?.split("\n").some((line) => line !== "" && !line.startsWith("#")))
    throw new Error("Conversations begin with === and a title");
  return parts.map(readConversation);
}

function readConversation(part: string): Conversation {
  const [title = "", ...lines] = part.split("\n");
  const directives: string[] = [];
  const turns: Turn[] = [];
  const log: string[] = [];
  for (const line of lines) {
    const content = line.slice(2);
    const last = turns.at(-1);
    if (line.startsWith("→ ") || line === "→") {
      if (last === undefined || last.server.length > 0) turns.push({ client: [content], server: [] });
      else last.client.push(content);
    } else if (line.startsWith("← ") && last !== undefined) last.server.push(content);
    else if (line.startsWith("! ")) log.push(content);
    else if (line.startsWith("@ ")) directives.push(content);
    else if (line !== "" && !line.startsWith("#")) throw new Error(`${title}: cannot read "${line}"`);
  }
  const those = (verb: string): string[] =>
    directives.filter((text) => text.startsWith(`${verb} `)).map((text) => text.slice(verb.length + 1));
  return {
    title,
    isHttp: those("over").includes("http"),
    words: those("serve").flatMap((words) => words.split(" ")),
    commands: those("run"),
    turns,
    log,
  };
}

/** What the client sends for a line. */
export const toSent = (line: string): string =>
  line.replaceAll(/‹(\d+) (.)›/g, (_, count: string, letter: string) => letter.repeat(Number(count)));

/** What was expected, with what has arrived in place of all that may be anything. */
export function fill(expected: Json, arrived: Json): Json {
  if (typeof expected === "string") return fillText(expected, arrived);
  if (Array.isArray(expected) && Array.isArray(arrived)) return fillArray(expected, arrived);
  if (!isObject(expected) || !isObject(arrived)) return expected;
  const { "‹rest›": isOpen, ...own } = expected;
  const members = Object.entries(own).map(([name, member]): [string, Json] => [
    name,
    Object.hasOwn(arrived, name) ? fill(member, arrived[name] as Json) : member,
  ]);
  return { ...(isOpen === true && arrived), ...Object.fromEntries(members) };
}

/** After `‹rest›` the next element is the first that is as expected. */
function fillArray(expected: readonly Json[], arrived: readonly Json[]): Json[] {
  const filled: Json[] = [];
  let isOpen = false;
  for (const element of expected) {
    if (element === "‹rest›") {
      isOpen = true;
      continue;
    }
    const rest = arrived.slice(filled.length);
    const found = isOpen ? rest.findIndex((one) => isDeepStrictEqual(fill(element, one), one)) : 0;
    filled.push(
      ...rest.slice(0, Math.max(0, found)),
      found < rest.length ? fill(element, rest[found] ?? null) : element,
    );
    isOpen = false;
  }
  return isOpen ? [...filled, ...arrived.slice(filled.length)] : filled;
}

function fillText(expected: string, arrived: Json): Json {
  if (expected === "‹any›") return arrived;
  return typeof arrived === "string" && isLike(expected, arrived) ? arrived : expected;
}

/** Whether a text is as expected, where `‹any›` is any part of it. */
export const isLike = (expected: string, text: string): boolean =>
  new RegExp(`^${expected.split("‹any›").map(escapePattern).join("[^]*")}$`, "u").test(text);

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

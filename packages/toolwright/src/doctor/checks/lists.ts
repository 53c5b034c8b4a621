import type { JsonObject } from "@toolwright/engine";
import { CODES } from "../codes.js";
import type { Context } from "../context.js";
import { type Check, type Finding, fault, good, notApplicable, note, warning } from "../finding.js";
import type { ListMethod, Visit } from "../survey.js";
import { walkList } from "../walk-list.js";
import { codeOf, sayReply, textOf } from "../wire/reply.js";

const NAME = /^[\w.-]{1,128}$/;

const NO_LISTS = notApplicable("It lists nothing.");

/** What makes an item one of its kind. */
const KEYS: Readonly<Record<ListMethod, string>> = {
  "tools/list": "name",
  "resources/list": "uri",
  "resources/templates/list": "uriTemplate",
  "prompts/list": "name",
};

/** Do all pages come to an end? */
const pages: Check<Context> = {
  id: "lists.pages",
  title: "Lists come to an end, and refuse a wrong cursor",
  group: "lists",
  async run(context) {
    const { best } = await context.survey();
    if (best === undefined || best.lists.size === 0) return NO_LISTS;
    const endless = [...best.lists.values()].filter(({ trouble }) => trouble?.includes("never") === true);
    const findings: Finding[] = endless.map(({ trouble = "", replies }) =>
      fault(
        `${trouble}.`,
        {
          why: "Clients read every page before they begin: they never begin.",
          next: "Leave nextCursor out of the last page.",
        },
        replies.slice(0, 2).flatMap(({ evidence }) => evidence),
      ),
    );
    const talk = await context.share(best.era);
    const [method = "tools/list"] = best.lists.keys();
    const reply = await talk.ask(method, { cursor: "toolwright-doctor-no-such-cursor" });
    if (codeOf(reply) === CODES.invalidParams) findings.push(good("A wrong cursor is refused.", reply.evidence));
    else if (reply.kind === "answer")
      findings.push(
        note(
          `A wrong cursor gets ${sayReply(reply)}.`,
          reply.evidence,
          "A client with a cursor that has run out gets a wrong page, and does not see it.",
        ),
      );
    else
      findings.push(
        fault(
          `A wrong cursor gets ${sayReply(reply)}.`,
          {
            why: "A client with a cursor that has run out waits for ever.",
            next: `Refuse it with error ${CODES.invalidParams}.`,
          },
          reply.evidence,
        ),
      );
    return findings;
  },
};

/** Can everything be told apart by its name? */
const names: Check<Context> = {
  id: "lists.names",
  title: "Names are unique and legal",
  group: "lists",
  async run(context) {
    const { best, tools } = await context.survey();
    if (best === undefined || best.lists.size === 0) return NO_LISTS;
    const whole = [...best.lists].filter(([, { trouble }]) => trouble === undefined);
    const twice = whole.flatMap(([method, { items }]) =>
      repeated(items.map((item) => textOf(item[KEYS[method]]))).map((name) => `${method} has "${name}" twice`),
    );
    const odd = tools.map(({ name }) => textOf(name)).filter((name) => !NAME.test(name));
    return [
      ...twice.map((saw) =>
        fault(`${saw}.`, {
          why: "Vendors refuse a request that has two tools of one name: the whole conversation fails.",
          next: "Give each its own name.",
        }),
      ),
      ...odd.map((name) =>
        warning(`The tool name ${JSON.stringify(name)} has signs that are not allowed.`, {
          why: "Clients leave the tool out, or the vendor refuses the whole request.",
          next: "Use letters, digits, _ and -, at most 64 of them.",
        }),
      ),
      ...(twice.length + odd.length === 0 ? [good("Every name is unique and legal.")] : []),
    ];
  },
};

function repeated(all: readonly string[]): readonly string[] {
  return [...new Set(all.filter((name, index) => all.indexOf(name) !== index))];
}

/** Can a model tell what each tool is for? */
const descriptions: Check<Context> = {
  id: "lists.descriptions",
  title: "Every tool says what it is for",
  group: "lists",
  async run(context) {
    const { tools } = await context.survey();
    if (tools.length === 0) return notApplicable("It lists no tools.");
    const silent = tools.filter(({ description }) => typeof description !== "string" || description.trim() === "");
    if (silent.length === 0) return [good(`All of its ${tools.length} tools have a description.`)];
    return [
      warning(`${silent.length} of ${tools.length} tools have no description: ${namesOf(silent)}.`, {
        why: "A model chooses by the description; without one it guesses by the name.",
        next: "Say in a sentence or two what the tool does, and when to use it.",
      }),
    ];
  },
};

const namesOf = (tools: readonly JsonObject[]): string =>
  tools
    .slice(0, 8)
    .map(({ name }) => textOf(name))
    .join(", ") + (tools.length > 8 ? ", …" : "");

/** Is a list the same when it is asked for again? */
const order: Check<Context> = {
  id: "lists.order",
  title: "Tools come in the same order each time",
  group: "lists",
  async run(context) {
    const { best, tools } = await context.survey();
    if (best === undefined || tools.length === 0) return notApplicable("It lists no tools.");
    const talk = await context.share(best.era);
    const others = [await walkList(talk, "tools/list", "tools"), await walkList(talk, "tools/list", "tools")];
    const other = others.find(({ items }) => JSON.stringify(items) !== JSON.stringify(tools));
    if (other === undefined) return [good("Three lists are the same.")];
    const isMoved = sorted(other.items) === sorted(tools);
    return [
      warning(isMoved ? "The order of the tools changes from list to list." : "Two lists of one server differ.", {
        why: "Vendors cache what a conversation begins with; a list that changes makes every request slow and dear.",
        next: "List tools in a fixed order.",
      }),
    ];
  },
};

const sorted = (tools: Visit["heard"]): string => JSON.stringify(tools.map((tool) => JSON.stringify(tool)).sort());

/** The checks of lists. */
export const LIST_CHECKS: readonly Check<Context>[] = [pages, names, descriptions, order];

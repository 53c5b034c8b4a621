import type { JsonObject } from "@toolwright/engine";
import { type CheckedTool, checkPortability, type PortabilityIssue } from "@toolwright/engine/testing";
import { countTokens } from "@toolwright/kit/tokens";
import type { Context } from "../context.js";
import { type Check, type Finding, fault, good, notApplicable, note, warning } from "../finding.js";
import { type ListMethod, type RevisionSnapshot, walkList } from "../snapshot.js";
import { asObject, codeOf, comment, describeReply, textOf } from "../wire/connection.js";
import { CODES } from "../wire/protocol.js";

const NAME = /^[\w.-]{1,128}$/;

const NO_LISTS = notApplicable("It lists nothing.");

/** The member that identifies an item. */
const KEYS: Readonly<Record<ListMethod, string>> = {
  "tools/list": "name",
  "resources/list": "uri",
  "resources/templates/list": "uriTemplate",
  "prompts/list": "name",
};

const pages: Check<Context> = {
  id: "lists.pages",
  title: "Lists end, and invalid cursors are rejected",
  group: "lists",
  async run(context) {
    const { best } = await context.snapshot();
    if (best === undefined || best.lists.size === 0) return NO_LISTS;
    const endless = [...best.lists.values()].filter(({ problem }) => problem?.includes("never") === true);
    const findings: Finding[] = endless.map(({ problem = "", replies }) =>
      fault(
        `${problem}.`,
        {
          why: "Clients read all pages before they start, so they never start.",
          next: "Leave nextCursor out of the last page.",
        },
        replies.slice(0, 2).flatMap(({ evidence }) => evidence),
      ),
    );
    const conversation = await context.share(best.revision);
    const [method = "tools/list"] = best.lists.keys();
    const reply = await conversation.ask(method, { cursor: "toolwright-doctor-no-such-cursor" });
    if (codeOf(reply) === CODES.invalidParams) findings.push(good("An invalid cursor is rejected.", reply.evidence));
    else if (reply.kind === "answer")
      findings.push(
        note(
          `An invalid cursor gets ${describeReply(reply)}.`,
          reply.evidence,
          "A client with an expired cursor gets a wrong page, and does not notice.",
        ),
      );
    else
      findings.push(
        fault(
          `An invalid cursor gets ${describeReply(reply)}.`,
          {
            why: "A client with an expired cursor waits until its timeout.",
            next: `Reject it with error ${CODES.invalidParams}.`,
          },
          reply.evidence,
        ),
      );
    return findings;
  },
};

const validNames: Check<Context> = {
  id: "lists.names",
  title: "Names are unique and valid",
  group: "lists",
  async run(context) {
    const { best, tools } = await context.snapshot();
    if (best === undefined || best.lists.size === 0) return NO_LISTS;
    const whole = [...best.lists].filter(([, { problem }]) => problem === undefined);
    const twice = whole.flatMap(([method, { items }]) =>
      repeated(items.map((item) => textOf(item[KEYS[method]]))).map((name) => `${method} has "${name}" twice`),
    );
    const odd = tools.map(({ name }) => textOf(name)).filter((name) => !NAME.test(name));
    return [
      ...twice.map((summary) =>
        fault(`${summary}.`, {
          why: "Vendors reject requests with two tools of the same name: the whole conversation fails.",
          next: "Give each one its own name.",
        }),
      ),
      ...odd.map((name) =>
        warning(`The tool name ${JSON.stringify(name)} has invalid characters.`, {
          why: "Clients omit the tool, or the vendor rejects the whole request.",
          next: "Use letters, digits, _ and -, at most 64 of them.",
        }),
      ),
      ...(twice.length + odd.length === 0 ? [good("All names are unique and valid.")] : []),
    ];
  },
};

function repeated(all: readonly string[]): readonly string[] {
  return [...new Set(all.filter((name, index) => all.indexOf(name) !== index))];
}

const descriptions: Check<Context> = {
  id: "lists.descriptions",
  title: "Every tool has a description",
  group: "lists",
  async run(context) {
    const { tools } = await context.snapshot();
    if (tools.length === 0) return notApplicable("It lists no tools.");
    const silent = tools.filter(({ description }) => typeof description !== "string" || description.trim() === "");
    if (silent.length === 0) return [good(`All ${tools.length} tools have a description.`)];
    return [
      warning(`${silent.length} of ${tools.length} tools have no description: ${namesOf(silent)}.`, {
        why: "Models choose tools by their descriptions; without one they guess from the name.",
        next: "Describe in a sentence or two what the tool does, and when to use it.",
      }),
    ];
  },
};

const namesOf = (tools: readonly JsonObject[]): string =>
  tools
    .slice(0, 8)
    .map(({ name }) => textOf(name))
    .join(", ") + (tools.length > 8 ? ", …" : "");

const order: Check<Context> = {
  id: "lists.order",
  title: "Tools are always listed in the same order",
  group: "lists",
  async run(context) {
    const { best, tools } = await context.snapshot();
    if (best === undefined || tools.length === 0) return notApplicable("It lists no tools.");
    const conversation = await context.share(best.revision);
    const others = [
      await walkList(conversation, "tools/list", "tools"),
      await walkList(conversation, "tools/list", "tools"),
    ];
    const other = others.find(({ items }) => JSON.stringify(items) !== JSON.stringify(tools));
    if (other === undefined) return [good("Three lists are identical.")];
    const isMoved = sorted(other.items) === sorted(tools);
    return [
      warning(isMoved ? "The order of the tools changes between lists." : "Two lists of the same server differ.", {
        why: "Vendors cache the beginning of a conversation; a list that changes makes every request slower and more expensive.",
        next: "List tools in a fixed order.",
      }),
    ];
  },
};

const sorted = (tools: RevisionSnapshot["received"]): string =>
  JSON.stringify(tools.map((tool) => JSON.stringify(tool)).sort());

/** The checks of lists. */
export const LIST_CHECKS: readonly Check<Context>[] = [pages, validNames, descriptions, order];

/** Lists of tools with more tokens get a warning, or a fault. */
const WARNING_TOKENS = 10_000;
const FAULT_TOKENS = 40_000;

const LISTED_TOOLS = 5;

/** Counts the tokens of the list of tools. */
export const tokens: Check<Context> = {
  id: "lists.tokens",
  title: "The list of tools needs few tokens",
  group: "lists",
  async run(context) {
    const { tools } = await context.snapshot();
    if (tools.length === 0) return notApplicable("It lists no tools.");
    const costs = tools.map(({ name, description, inputSchema }) => ({
      name: textOf(name),
      cost: countTokens(JSON.stringify({ name, description, inputSchema })),
    }));
    const total = costs.reduce((sum, { cost }) => sum + cost, 0);
    const heaviest = costs
      .toSorted((left, right) => right.cost - left.cost || (left.name < right.name ? -1 : 1))
      .slice(0, LISTED_TOOLS)
      .map(({ name, cost }) => comment(`${name}: ${cost} tokens`));
    const summary = `${tools.length} ${tools.length === 1 ? "tool costs" : "tools cost"} ${total.toLocaleString("en")} tokens in every conversation.`;
    if (total <= WARNING_TOKENS) return [good(summary, heaviest)];
    const advice = {
      why: "In clients that load all tools, that much of the context is used before the user has typed anything.",
      next: "Shorten the largest descriptions and schemas, or let users choose toolsets.",
    };
    return [(total > FAULT_TOKENS ? fault : warning)(summary, advice, heaviest)];
  },
};

/** The name of a client of each vendor: a server may adapt its schemas to the client. */
const CLIENTS: Readonly<Record<string, string>> = {
  Anthropic: "claude-code",
  OpenAI: "codex-mcp-client",
  Google: "gemini-cli-mcp-client",
  "VS Code": "Visual Studio Code",
  Cursor: "cursor-vscode",
};

const VENDORS = Object.keys(CLIENTS).length;

const vendors: Check<Context> = {
  id: "schemas.vendors",
  title: "All vendors accept all tools",
  group: "schemas",
  async run(context) {
    const { best, tools } = await context.snapshot();
    if (best === undefined || tools.length === 0) return notApplicable("It lists no tools.");
    const plain = checkPortability(toListed(tools));
    const asked = [...new Set(plain.map(({ vendor }) => vendor))];
    const verdicts: PortabilityIssue[] = [];
    for (const vendor of asked) {
      const conversation = await context.open(best.revision, CLIENTS[vendor]);
      const { items } = await walkList(conversation, "tools/list", "tools");
      await conversation.close();
      verdicts.push(...checkPortability(toListed(items)).filter((verdict) => verdict.vendor === vendor));
    }
    if (verdicts.length > 0) return group(verdicts);
    const adaptation = plain.length === 0 ? "" : " It adapts its schemas to the client.";
    return [good(`Anthropic, OpenAI, Google, VS Code and Cursor accept all ${tools.length} tools.${adaptation}`)];
  },
};

/** One finding for each problem, with all tools and vendors that it concerns. */
function group(verdicts: readonly PortabilityIssue[]): readonly Finding[] {
  return [...groupByProblem(verdicts)].map(([what, alike]) => {
    const names = [...new Set(alike.map(({ tool }) => tool))];
    const who = [...new Set(alike.map(({ vendor }) => vendor))];
    const [first] = alike;
    const summary = `${names.length === 1 ? `The tool ${names[0]}` : `Each of ${names.length} tools`} ${what}: ${who.join(", ")} may reject it.`;
    const advice = {
      why: "If a vendor rejects a schema, the tool is unavailable, and often all other tools of the conversation, too.",
      next: first?.advice ?? "",
    };
    const shown = names.slice(0, 6).join(", ") + (names.length > 6 ? ", …" : "");
    return (who.length >= VENDORS ? fault : warning)(summary, advice, [comment(shown)]);
  });
}

function groupByProblem(verdicts: readonly PortabilityIssue[]): Map<string, PortabilityIssue[]> {
  const kinds = new Map<string, PortabilityIssue[]>();
  for (const verdict of verdicts) kinds.set(verdict.problem, [...(kinds.get(verdict.problem) ?? []), verdict]);
  return kinds;
}

function toListed(tools: readonly JsonObject[]): readonly CheckedTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name: textOf(name),
    ...(typeof description === "string" && { description }),
    inputSchema: asObject(inputSchema) ?? {},
  }));
}

const sound: Check<Context> = {
  id: "schemas.sound",
  title: "Schemas are consistent",
  group: "schemas",
  async run(context) {
    const { tools } = await context.snapshot();
    if (tools.length === 0) return notApplicable("It lists no tools.");
    const lost = tools.flatMap(({ name, inputSchema }) => {
      const schema = asObject(inputSchema) ?? {};
      const properties = asObject(schema["properties"]) ?? {};
      const unknown = [schema["required"] ?? []].flat().filter((member) => !(textOf(member) in properties));
      return unknown.map((member) => `${textOf(name)} requires "${textOf(member)}", which is not in its properties`);
    });
    if (lost.length === 0) return [good("All required properties are described.")];
    return lost.map((summary) =>
      warning(`${summary}.`, {
        why: "Strict vendors reject the schema, and models do not know what to send.",
        next: "Describe the property, or do not require it.",
      }),
    );
  },
};

/** The checks of schemas. */
export const SCHEMA_CHECKS: readonly Check<Context>[] = [vendors, sound];

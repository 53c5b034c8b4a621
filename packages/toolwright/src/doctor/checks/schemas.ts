import type { JsonObject } from "@toolwright/engine";
import { type CheckedTool, checkPortability, type PortabilityIssue } from "@toolwright/engine/testing";
import type { Context } from "../context.js";
import { type Check, type Finding, fault, good, notApplicable, warning } from "../finding.js";
import { walkList } from "../walk-list.js";
import { remark } from "../wire/evidence.js";
import { asObject, textOf } from "../wire/reply.js";

/** What a client of each vendor calls itself: a server may write its schemas for whoever asks. */
const CLIENTS: Readonly<Record<string, string>> = {
  Anthropic: "claude-code",
  OpenAI: "codex-mcp-client",
  Google: "gemini-cli-mcp-client",
  "VS Code": "Visual Studio Code",
  Cursor: "cursor-vscode",
};

const VENDORS = Object.keys(CLIENTS).length;

/** Which vendors would refuse which tools? */
const vendors: Check<Context> = {
  id: "schemas.vendors",
  title: "Every vendor takes every tool",
  group: "schemas",
  async run(context) {
    const { best, tools } = await context.survey();
    if (best === undefined || tools.length === 0) return notApplicable("It lists no tools.");
    const plain = checkPortability(toListed(tools));
    const asked = [...new Set(plain.map(({ vendor }) => vendor))];
    const verdicts: PortabilityIssue[] = [];
    for (const vendor of asked) {
      const talk = await context.open(best.era, CLIENTS[vendor]);
      const { items } = await walkList(talk, "tools/list", "tools");
      await talk.close();
      verdicts.push(...checkPortability(toListed(items)).filter((verdict) => verdict.vendor === vendor));
    }
    if (verdicts.length > 0) return group(verdicts);
    const mended = plain.length === 0 ? "" : " It writes its schemas for the client that asks.";
    return [good(`Anthropic, OpenAI, Google, VS Code and Cursor take all ${tools.length} tools.${mended}`)];
  },
};

/** One finding for each fault, whatever the number of tools and vendors that it concerns. */
function group(verdicts: readonly PortabilityIssue[]): readonly Finding[] {
  return [...byFault(verdicts)].map(([what, alike]) => {
    const names = [...new Set(alike.map(({ tool }) => tool))];
    const who = [...new Set(alike.map(({ vendor }) => vendor))];
    const [first] = alike;
    const saw = `${names.length === 1 ? `The tool ${names[0]}` : `Each of ${names.length} tools`} ${what}: ${who.join(", ")} may refuse it.`;
    const advice = {
      why: "A schema that a vendor refuses takes the tool away, and often every other tool of the conversation with it.",
      next: first?.advice ?? "",
    };
    const shown = names.slice(0, 6).join(", ") + (names.length > 6 ? ", …" : "");
    return (who.length >= VENDORS ? fault : warning)(saw, advice, [remark(shown)]);
  });
}

function byFault(verdicts: readonly PortabilityIssue[]): Map<string, PortabilityIssue[]> {
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

/** Do schemas agree with themselves? */
const sound: Check<Context> = {
  id: "schemas.sound",
  title: "Schemas agree with themselves",
  group: "schemas",
  async run(context) {
    const { tools } = await context.survey();
    if (tools.length === 0) return notApplicable("It lists no tools.");
    const lost = tools.flatMap(({ name, inputSchema }) => {
      const schema = asObject(inputSchema) ?? {};
      const properties = asObject(schema["properties"]) ?? {};
      const unknown = [schema["required"] ?? []].flat().filter((member) => !(textOf(member) in properties));
      return unknown.map((member) => `${textOf(name)} requires "${textOf(member)}", which it does not describe`);
    });
    if (lost.length === 0) return [good("Whatever is required is described.")];
    return lost.map((saw) =>
      warning(`${saw}.`, {
        why: "Strict vendors refuse the schema, and models do not know what to send.",
        next: "Describe the property, or do not require it.",
      }),
    );
  },
};

/** The checks of schemas. */
export const SCHEMA_CHECKS: readonly Check<Context>[] = [vendors, sound];

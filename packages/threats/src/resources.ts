import { type Resource, type ResourceTemplate, resource, resourceTemplate } from "@toolwright/engine";
import type { Entry } from "./library/library.js";
import type { ThreatsContext } from "./threats-context.js";
import { toListItem } from "./tools/results.js";

/** The resources of the pack: each pattern, and the list of all. */
export const resources = (threats: ThreatsContext): readonly (Resource | ResourceTemplate)[] => [
  patternResource(threats),
  indexResource(threats),
];

const MARKDOWN = "text/markdown";

const patternResource = ({ library }: ThreatsContext) =>
  resourceTemplate({
    uri: "threat://{id}",
    name: "threat",
    title: "Threat pattern",
    requires: ["tmkb_query"],
    description: "A threat pattern as Markdown, with vulnerable and secure code.",
    complete: {
      async id(typed) {
        const ids = [...(await library.entries()).keys()];
        return ids.filter((id) => id.startsWith(typed.trim().toUpperCase()));
      },
    },
    async list() {
      const entries = await library.list();
      return {
        resources: entries.map(({ id, name, severity }) => ({
          uri: `threat://${id}`,
          name: id,
          title: name,
          description: `Severity ${severity}.`,
          mimeType: MARKDOWN,
        })),
      };
    },
    async read({ id }) {
      const entry = await library.look(id);
      if (entry === undefined) return undefined;
      const { toMarkdown } = await import("./pattern-markdown.js");
      return { uri: `threat://${entry.id}`, mimeType: MARKDOWN, text: toMarkdown(await library.read(entry.id)) };
    },
  });

const indexResource = ({ library }: ThreatsContext) =>
  resource({
    uri: "threats://index",
    name: "threats",
    title: "All threat patterns",
    description: "All threat patterns, one line each, as JSON and as Markdown.",
    requires: ["tmkb_query"],
    async read() {
      const entries = await library.list();
      const uri = "threats://index";
      return [
        { uri, mimeType: "application/json", text: JSON.stringify({ patterns: entries.map(toListItem) }) },
        { uri, mimeType: MARKDOWN, text: indexText(entries) },
      ];
    },
  });

function indexText(entries: readonly Entry[]): string {
  const families = grouped(entries);
  const lines = [...families].flatMap(([category, members]) => [`\n## ${category}\n`, ...members.map(lineOf)]);
  return [`# Threat patterns (${entries.length})`, ...lines, ""].join("\n");
}

const lineOf = ({ id, severity, tier, name, origin }: Entry): string =>
  `- [${id}](threat://${id}) [${severity}/${tier}] ${name}${origin === "user" ? " (user)" : ""}`;

function grouped(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(entry.category, [...(groups.get(entry.category) ?? []), entry]);
  return groups;
}

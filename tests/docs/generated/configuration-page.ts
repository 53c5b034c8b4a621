import type { Json } from "@toolwright/engine";
import { packSchemas } from "../../../packages/toolwright/src/cli/pack-settings.js";
import { loadKnownTools } from "../../../packages/toolwright/src/cli/tool-lists/known-tools.js";
import { createTable } from "../../../packages/toolwright/src/config/settings.js";
import { PACK_NAMES } from "../../../packages/toolwright/src/packs.js";
import { readPage } from "../pages.js";
import { table } from "./markdown.js";

const HEAD = ["setting", "default", "option", "live", "what it is"];

/** The settings of each section, by its heading; the first that matches. */
const SECTIONS: readonly (readonly [heading: string, keys: RegExp])[] = [
  ["Profiles", /^profile$/],
  ["HTTP limits", /^http\.limits\./],
  ["Transports", /^(?:stdio|http\.|ws$|socket$)/],
  ["Access control", /^auth\./],
  ["State and files", /^(?:state|files\.|packModules)/],
  ["Rate limits", /^(?:requestRate$|(?:rate|perPrincipal)\.)/],
  ["Observability", /^(?:telemetry|metrics|log\.|audit\.|record\.|redact\.)/],
  ["Tool selection", /^tools\./],
  ["Identity and protocol", /^(?:server\.|protocol\.|tasks$|largeResults$|recorder$)/],
  ["Compatibility", /^compat\./],
  ["Packs", /^packs\./],
  ["Limits", /^limits\./],
];

/** docs/reference/configuration.md: the tables of settings and toolsets are replaced, the text between them stays. */
export async function writeConfigurationPage(): Promise<string> {
  const settings = [...createTable(PACK_NAMES)];
  const sectionOf = (key: string): string => SECTIONS.find(([, keys]) => keys.test(key))?.[0] ?? `a section for ${key}`;
  const { text } = readPage("docs/reference/configuration.md");
  const [packSettings, toolsets] = [await packSettingsTable(), await toolsetsTable()];
  return text
    .split(/^(?=### )/m)
    .map((section) => {
      const heading = /^### (.*)$/m.exec(section)?.[1];
      if (heading === "Settings of packs") return withTable(section, "setting", packSettings);
      const rows = settings
        .filter(([key]) => sectionOf(key) === heading)
        .map(([key, setting]) => [
          `\`${key}\``,
          shownDefault(setting),
          setting.flag === undefined ? "" : `\`${setting.flag}\``,
          setting.isLive ? "yes" : "",
          setting.about,
        ]);
      const written = rows.length === 0 ? section : withTable(section, "setting", table(HEAD, rows));
      return heading === "Tool selection" ? withTable(written, "pack", toolsets) : written;
    })
    .join("");
}

/** Replaces the table of a section whose first column has this heading. */
const withTable = (section: string, first: string, written: string): string =>
  section.replace(new RegExp(`^\\| ${first} \\|(?:.*\\n)(?:\\|.*\\n)+`, "m"), () => `${written}\n`);

async function packSettingsTable(): Promise<string> {
  const rows = [...(await packSchemas())].flatMap(([key, { properties = {} }]) =>
    Object.entries(properties as Record<string, { description?: string; default?: Json }>).map(([name, setting]) => [
      `\`${key}.${name}\``,
      shownDefault({ default: setting.default }),
      setting.description ?? "",
    ]),
  );
  return table(["setting", "default", "what it is"], rows);
}

async function toolsetsTable(): Promise<string> {
  const { byPack, optional } = await loadKnownTools();
  const shown = (tool: string) => (optional.includes(tool) ? `*${tool}*` : tool);
  const rows = Object.entries(byPack).flatMap(([pack, toolsets]) =>
    Object.entries(toolsets).map(([toolset, tools]) => [pack, toolset, tools.map(shown).join(", ")]),
  );
  return table(["pack", "toolset", "tools"], rows);
}

/** A default as the page shows it. */
export function shownDefault({
  default: usual,
  unset = "",
}: {
  readonly default?: Json | undefined;
  readonly unset?: string;
}): string {
  if (usual === undefined) return unset;
  if (Array.isArray(usual)) return "none";
  if (typeof usual === "number") return String(usual);
  return `\`${typeof usual === "string" ? usual : JSON.stringify(usual)}\``;
}

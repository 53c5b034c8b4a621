import type { Json } from "@toolwright/engine";
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
  ["Rate limits", /^(?:rate|perPrincipal)\./],
  ["Observability", /^(?:telemetry|metrics|log\.|audit\.|record\.|redact\.)/],
  ["Tool selection", /^tools\./],
  ["Identity and protocol", /^(?:server\.|protocol\.|tasks$|largeResults$|recorder$)/],
  ["Compatibility", /^compat\./],
  ["Packs", /^packs\./],
  ["Limits", /^limits\./],
];

/** docs/reference/configuration.md: the tables of settings are replaced, the text between them stays. */
export function writeConfigurationPage(): string {
  const settings = [...createTable(PACK_NAMES)];
  const sectionOf = (key: string): string => SECTIONS.find(([, keys]) => keys.test(key))?.[0] ?? `a section for ${key}`;
  const { text } = readPage("docs/reference/configuration.md");
  return text
    .split(/^(?=### )/m)
    .map((section) => {
      const heading = /^### (.*)$/m.exec(section)?.[1];
      const rows = settings
        .filter(([key]) => sectionOf(key) === heading)
        .map(([key, setting]) => [
          `\`${key}\``,
          shownDefault(setting),
          setting.flag === undefined ? "" : `\`${setting.flag}\``,
          setting.isLive ? "yes" : "",
          setting.about,
        ]);
      return rows.length === 0
        ? section
        : section.replace(/^\| setting \|(?:.*\n)(?:\|.*\n)+/m, `${table(HEAD, rows)}\n`);
    })
    .join("");
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

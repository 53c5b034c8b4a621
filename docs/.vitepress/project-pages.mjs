import { readFileSync } from "node:fs";
import path from "node:path";

/** The pages at the root of the project that the site shows too, by their files. */
export const PROJECT_PAGES = {
  "SECURITY.md": "security",
  "ARCHITECTURE.md": "architecture",
  "CONTRIBUTING.md": "contributing",
  "CHANGELOG.md": "changelog",
};

/** The text of such a page. */
export const readProjectPage = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

/** Where a link of a page leads on the site, as the repository has it; undefined = to a file that the site does not show. */
function placeOf(href, relativePath) {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [target, anchor] = href.split("#");
  const folder = relativePath.startsWith("project/") ? "" : path.posix.join("docs", path.posix.dirname(relativePath));
  const file = path.posix.join(folder, target);
  const end = anchor === undefined ? "" : `#${anchor}`;
  if (file in PROJECT_PAGES) return `/project/${PROJECT_PAGES[file]}${end}`;
  return /^docs\/.*\.md$/.test(file) ? `/${file.slice("docs/".length)}${end}` : undefined;
}

/** Pages are written for the repository: this makes links lead somewhere on the site, or plain words of them, and leaves code alone. */
export function fitToSite(markdown) {
  markdown.core.ruler.push("fit_to_site", ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isPlain = false;
      for (const token of children ?? []) {
        // Braces of templates are no expressions of the site.
        if (token.type === "code_inline") token.attrSet("v-pre", "");
        if (token.type === "link_open") {
          const place = placeOf(token.attrGet("href") ?? "", env.relativePath ?? "");
          isPlain = place === undefined;
          if (place !== undefined) token.attrSet("href", place);
        }
        if (isPlain && token.type.startsWith("link_")) Object.assign(token, { type: "text", tag: "", content: "" });
      }
    }
  });
}

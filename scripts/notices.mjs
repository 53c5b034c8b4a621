// Writes THIRD-PARTY-NOTICES.txt: the licences of the npm packages that are bundled.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Packages that name their licence but ship no text of it. */
const WITHOUT_TEXT = new Set(["js-tiktoken"]);

/** The text of the notices for the npm packages among the bundled modules, and for those in `more`. */
export function noticesFor(root, moduleIds, more) {
  const bundled = moduleIds.filter((id) => id.includes("node_modules")).map(packageOf);
  const names = [...new Set([...bundled, ...more])].sort((a, b) => (a < b ? -1 : 1));
  return names.map((name) => noticeFor(path.join(root, "node_modules", name))).join("\n");
}

/** `…/node_modules/@scope/name/file.js` → `@scope/name`. */
function packageOf(moduleId) {
  const [scope, name] = moduleId.replaceAll("\\", "/").split("node_modules/").at(-1).split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

function noticeFor(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const heading = `${name} ${version} (${license})\n`;
  if (file !== undefined) return `${heading}\n${readFileSync(path.join(folder, file), "utf8").trim()}\n`;
  if (WITHOUT_TEXT.has(name)) return heading;
  throw new Error(`Cannot bundle ${name}: the package has no licence file`);
}

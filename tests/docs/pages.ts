import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A page of the documentation. */
export interface Page {
  /** Its path from the root of the project, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  readonly line: number;
  /** The words after the opening fence: the language, and what is to be known of it. */
  readonly words: readonly string[];
  readonly code: string;
}

/** Every page for readers: those at the root, those under `docs`, and those of the packages and examples. */
export function readPages(): Page[] {
  const files = [
    ...readdirSync(root).filter((name) => name.endsWith(".md")),
    ...readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name.split(path.sep).join("/")}`),
    ...["packages", "examples"]
      .flatMap((folder) => readdirSync(root + folder).map((name) => `${folder}/${name}/README.md`))
      .filter((file) => existsSync(root + file)),
  ];
  return files.sort().map(readPage);
}

export function readPage(file: string): Page {
  return { file, text: readFileSync(root + file, "utf8") };
}

export function blocksOf({ file, text }: Page): Block[] {
  return [...text.matchAll(/^ *```([^\n`]*)\n([\s\S]*?)^ *```$/gm)].map(({ 1: words = "", 2: code = "", index }) => ({
    page: file,
    line: text.slice(0, index).split("\n").length,
    words: words.split(" ").filter((word) => word !== ""),
    code,
  }));
}

/** The page without its fenced blocks. */
export function proseOf({ text }: Page): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
}

/** What stands under a heading, up to the next one of any level. */
export function sectionOf(page: Page, heading: string): string {
  const [, section] = proseOf(page).split(new RegExp(`^#+ ${heading}$`, "m"));
  if (section === undefined) throw new Error(`${page.file} has no heading "${heading}"`);
  return section.split(/^#/m)[0] ?? "";
}

/** The rows of all tables in a text, without their headings. */
export function rowsOf(text: string): string[][] {
  const lines = text.split("\n");
  return lines
    .filter((line, at) => line.startsWith("|") && !isRule(line) && !isRule(lines[at + 1] ?? ""))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf("|"))
        .split("|")
        .map((cell) => cell.trim()),
    );
}

function isRule(line: string): boolean {
  return /^\|[-|: ]+\|$/.test(line);
}

import path from "node:path";
import { LANGUAGES } from "@toolwright/kit/syntax";
import { type DocumentKind, UnreadableDocument } from "./reading.js";

const ENDS: Readonly<Record<string, DocumentKind>> = {
  ...byEnd("markdown", "md markdown mdx mdown mkd qmd rmd"),
  ...byEnd("text", "txt text rst adoc asciidoc org tex log srt vtt"),
  ...byEnd("html", "html htm xhtml"),
  ...byEnd("pdf", "pdf"),
  ...byEnd("docx", "docx docm"),
  ...byEnd("csv", "csv tsv tab"),
  ...byEnd("json", "json jsonl ndjson json5 jsonc geojson ipynb"),
  ...byEnd(
    "code",
    "sh bash zsh fish ps1 bat sql yaml yml toml ini cfg conf properties css scss less lua r pl pm scala",
  ),
  ...byEnd("code", "dart ex exs erl hrl hs clj cljs fs fsx ml mli nim zig jl vue svelte xml xsd xsl svg proto graphql"),
  ...byEnd("code", "gradle groovy cmake tf hcl nix vim el lisp scm asm s m mm f90 pas vb sol diff patch"),
};
const NAMES: Readonly<Record<string, DocumentKind>> = {
  ...byName("code", "dockerfile makefile rakefile gemfile"),
  ...byName("text", "readme license licence copying notice authors contributors changelog changes news install"),
};
const SOURCES = new Set(Object.values(LANGUAGES).flatMap(({ ends }) => [...ends] as string[]));

function byEnd(kind: DocumentKind, ends: string): Record<string, DocumentKind> {
  return Object.fromEntries(ends.split(" ").map((end) => [`.${end}`, kind]));
}

function byName(kind: DocumentKind, names: string): Record<string, DocumentKind> {
  return Object.fromEntries(names.split(" ").map((name) => [name, kind]));
}

/** Signatures of files without text. */
const FOREIGN: readonly (readonly [bytes: string, words: string])[] = [
  ["\x89PNG", "a PNG image"],
  ["\xff\xd8\xff", "a JPEG image"],
  ["GIF8", "a GIF image"],
  ["\x1f\x8b", "a gzip archive"],
  ["7z\xbc\xaf", "a 7z archive"],
  ["Rar!", "a RAR archive"],
  ["\x7fELF", "a program"],
  ["\xd0\xcf\x11\xe0", "a file of an old Microsoft Office version; save it as .docx"],
  ["SQLite format 3\0", "a SQLite database"],
  ["\0asm", "a WebAssembly program"],
];

/** Determines the kind of a file by its content, else by its name. Throws if it has no text. */
export function kindOfFile(name: string, bytes: Uint8Array): DocumentKind {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  // Some PDF files have bytes before the signature.
  if (head.includes("%PDF-")) return "pdf";
  const named = kindByName(name);
  if (head.startsWith("PK\x03\x04") || head.startsWith("PK\x05\x06")) {
    if (named === "docx") return "docx";
    throw new UnreadableDocument("it is a ZIP archive; unpack it");
  }
  const foreign = FOREIGN.find(([start]) => head.startsWith(start));
  if (foreign !== undefined) throw new UnreadableDocument(`it is ${foreign[1]}`);
  if (named === "docx")
    throw new UnreadableDocument("it has the extension of a Word document, but is not a ZIP archive");
  if (named === "pdf") throw new UnreadableDocument("it has the extension of a PDF, but is not one");
  if (named !== undefined) return named;
  return /^\W{0,10}<(?:!doctype html|html)[\s>]/i.test(head) ? "html" : "text";
}

/** The kind of a file by its name; undefined if the name does not determine it. */
export function kindByName(name: string): DocumentKind | undefined {
  const context = path.basename(name).toLowerCase();
  const end = path.extname(context);
  return SOURCES.has(end) ? "code" : (ENDS[end] ?? NAMES[context]);
}

// Compresses the tree-sitter grammars for the program: uncompressed they are 25 MB.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const WASMS = "node_modules/@repomix/tree-sitter-wasms/out";
const FILES = {
  typescript: `${WASMS}/tree-sitter-typescript.wasm`,
  tsx: `${WASMS}/tree-sitter-tsx.wasm`,
  javascript: `${WASMS}/tree-sitter-javascript.wasm`,
  python: `${WASMS}/tree-sitter-python.wasm`,
  rust: `${WASMS}/tree-sitter-rust.wasm`,
  go: `${WASMS}/tree-sitter-go.wasm`,
  java: `${WASMS}/tree-sitter-java.wasm`,
  c: `${WASMS}/tree-sitter-c.wasm`,
  cpp: `${WASMS}/tree-sitter-cpp.wasm`,
  csharp: `${WASMS}/tree-sitter-c_sharp.wasm`,
  kotlin: "node_modules/@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
  ruby: `${WASMS}/tree-sitter-ruby.wasm`,
  php: `${WASMS}/tree-sitter-php.wasm`,
  swift: `${WASMS}/tree-sitter-swift.wasm`,
};
/** The npm packages with the grammars. */
export const GRAMMAR_PACKAGES = ["@repomix/tree-sitter-wasms", "@tree-sitter-grammars/tree-sitter-kotlin"];

/** The grammars of the first package, which are under the MIT licence but are packaged without it: their copyrights, by project. */
const COPYRIGHTS = {
  "tree-sitter-c": "Copyright (c) 2014 Max Brunsfeld",
  "tree-sitter-c-sharp": "Copyright (c) 2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors.",
  "tree-sitter-cpp": "Copyright (c) 2014 Max Brunsfeld",
  "tree-sitter-go": "Copyright (c) 2014 Max Brunsfeld",
  "tree-sitter-java": "Copyright (c) 2017 Ayman Nadeem",
  "tree-sitter-javascript": "Copyright (c) 2014 Max Brunsfeld",
  "tree-sitter-php":
    "Copyright (c) 2017 Josh Vera, GitHub\nCopyright (c) 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White",
  "tree-sitter-python": "Copyright (c) 2016 Max Brunsfeld",
  "tree-sitter-ruby": "Copyright (c) 2016 Rob Rix",
  "tree-sitter-rust": "Copyright (c) 2017 Maxim Sokolov",
  "tree-sitter-swift": "Copyright (c) 2021 alex-pinkus",
  "tree-sitter-typescript": "Copyright (c) 2017 Max Brunsfeld",
};

/** The notices for the grammars: the copyright of each, and one text of their licence. */
export function grammarNotices(root) {
  const licence = readFileSync(
    path.join(root, "node_modules", "@tree-sitter-grammars/tree-sitter-kotlin/LICENSE"),
    "utf8",
  );
  const copyrights = Object.entries(COPYRIGHTS).map(([name, copyright]) => `${name} (MIT)\n\n${copyright}\n`);
  return `${copyrights.join("\n")}\n${licence.slice(licence.indexOf("Permission is hereby granted")).trim()}\n`;
}

/** Writes the compressed grammars into `folder`. Reuses those of the last build in `old`: compressing takes seconds. */
export function packGrammars(root, folder, old) {
  mkdirSync(folder, { recursive: true });
  const stamp = GRAMMAR_PACKAGES.map((name) => `${name} ${versionOf(root, name)}`).join("\n");
  const known = path.join(old, "versions.txt");
  const isSame = existsSync(known) && readFileSync(known, "utf8") === stamp;
  for (const [language, file] of Object.entries(FILES)) {
    const name = `${language}.wasm.br`;
    const kept = path.join(old, name);
    const packed = isSame && existsSync(kept) ? readFileSync(kept) : pack(readFileSync(path.join(root, file)));
    writeFileSync(path.join(folder, name), packed);
  }
  writeFileSync(path.join(folder, "versions.txt"), stamp);
}

const versionOf = (root, name) =>
  JSON.parse(readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8")).version;

/** Quality 9 is nearly as small as 11, in a tenth of the time. */
const pack = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 22,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

import { chmod } from "node:fs/promises";
import path from "node:path";
import { AccessPolicy, findRipgrep, type SearchOptions, type SearchPage, searchFiles } from "@toolwright/kit/files";
import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeFolder, putFiles } from "../kit.js";

const WISH: SearchOptions = {
  pattern: "",
  path: ".",
  literal: false,
  ignore_case: false,
  ignored: false,
  context: 0,
  limit: 10_000,
  counts: false,
};

let ripgrep: string | undefined;

beforeAll(async () => {
  ripgrep = await findRipgrep();
  expect(ripgrep).toBeDefined();
});

/** Searches a folder with ripgrep and without. */
async function openSides(files: Record<string, string | Uint8Array>) {
  const root = await makeFolder();
  await putFiles(root, files);
  const grant = await AccessPolicy.open(
    { roots: [root], clientRoots: false, readOnly: [], hidden: [], timeoutMs: 10_000 },
    { folder: root, home: "/" },
  );
  const call = { signal: new AbortController().signal, supports: () => false, roots: async () => [] };
  const search = async (wish: Partial<SearchOptions>, program: string | undefined): Promise<SearchPage> =>
    searchFiles(await grant.accessFor(call), { ...WISH, ...wish }, { ripgrep: program, onProgress: () => undefined });
  const both = async (wish: Partial<SearchOptions>): Promise<SearchPage> => {
    const own = await search(wish, undefined);
    expect(await search(wish, ripgrep), JSON.stringify(wish)).toEqual(own);
    return own;
  };
  return { root, both };
}

/** Pieces of text in which the engines could differ. */
const LINES = [
  "",
  "foo",
  "Foo bar",
  "foo\r",
  "foo\u2028bar",
  "a\rb",
  "x=1;\ty = 22",
  "Käse",
  "KÄSE",
  "STRASSE straße",
  "ſ K k",
  "😀 smile 😀",
  "e\u0301",
  "١٢٣",
  "_under_score9",
  "tail ",
  " \u00A0nb\u3000",
  "a.b*c[d]{e}(f)|g^h$i\\j/k-l",
  "\u0000nul",
  "\uFEFFmark inside",
  "fi ﬁ",
  "ΣΑΣ σας",
  "İı",
];

const PATTERNS = [
  "foo",
  "^foo$",
  "foo$",
  "^$",
  "^",
  "$",
  ".",
  "^.$",
  "^..$",
  "a.b",
  "[a-z]+",
  "[^a-z]+",
  "^[^a]*$",
  String.raw`\w+`,
  String.raw`^\w+$`,
  String.raw`\W`,
  String.raw`\d`,
  String.raw`\D\D`,
  String.raw`\s`,
  String.raw`^\S+$`,
  String.raw`\bfoo\b`,
  String.raw`\Boo`,
  String.raw`[\w-]+$`,
  String.raw`[^\w\s]`,
  String.raw`[\W]`,
  String.raw`[^\W]`,
  "straße",
  "strasse",
  "käse",
  "σας",
  "ss",
  "k",
  "ſ",
  "i",
  String.raw`\p{Lu}`,
  String.raw`\P{L}+$`,
  String.raw`[\p{L}-]`,
  "😀",
  "[😀x]",
  "^.{3}$",
  "(foo|bar)",
  "(?:foo|x)?=",
  "(?<name>foo)",
  String.raw`\x66oo`,
  String.raw`\u0066oo`,
  String.raw`\u{1F600}`,
  "a{2}",
  "x{",
  "}",
  "]",
  "[]x]",
  "[a&&b]",
  "[]",
  "[^]",
  String.raw`\.`,
  String.raw`\-`,
  String.raw`\/`,
  String.raw`[\]\\]`,
  String.raw`[\b]`,
  "a|",
  "()",
  "o*",
  "o+?",
  "o{1,}?",
  " $",
  String.raw`\r$`,
  String.raw`\t`,
  "#",
  "~",
  "--",
  "(?i)FOO",
  "[^x]$",
  String.raw`\ufeff`,
];

/** Whether letters of a pattern have other cases. */
const hasCases = (pattern: string): boolean => /[a-zß-ſα-ω]/.test(pattern.replaceAll(/\\./g, ""));

describe("searching with ripgrep and without", () => {
  test.each([PATTERNS.slice(0, 25), PATTERNS.slice(25, 50), PATTERNS.slice(50)])(
    "gives the same in every encoding for %j …",
    async (...patterns) => {
      const text = LINES.join("\n");
      const { both } = await openSides({
        utf8: text,
        closed: `${text}\n`,
        crlf: LINES.join("\r\n"),
        bom: `\uFEFF${text}`,
        utf16le: Buffer.from(`\uFEFF${text.replaceAll("\0", "")}`, "utf16le"),
        utf16be: Buffer.from(`\uFEFF${text.replaceAll("\0", "")}`, "utf16le").swap16(),
        nomark: Buffer.from("foo bar words\n", "utf16le"),
        latin1: Buffer.from("Käse foo\nx\xDF\n", "latin1"),
        "latin1-high": Buffer.from([0xe4, 0x0a, 0xc3, 0xa4, 0xff, 0x0a]),
        invalid: Buffer.concat([Buffer.from("foo "), Buffer.from([0xe2, 0x82]), Buffer.from(" bar\n")]),
        binary: Buffer.concat([Buffer.from([0, 1, 2, 3]), Buffer.from("foo\n")]),
        empty: "",
      });
      let found = 0;
      for (const pattern of patterns) found += (await both({ pattern, counts: true })).matches;
      for (const pattern of patterns.filter(hasCases))
        found += (await both({ pattern, counts: true, ignore_case: true })).matches;
      expect(found).toBeGreaterThan(400);
    },
  );

  test("gives the same where bytes that are no UTF-8 come late", async () => {
    const { both } = await openSides({
      late: Buffer.concat([
        Buffer.alloc(1_100_000, `${"foo bar ".repeat(500)}\n`),
        Buffer.from([0x0a, 0xe4, 0x20, 0x66, 0x6f, 0x6f, 0x0a]),
      ]),
    });
    for (const [pattern, matches] of [
      ["^. foo$", 1],
      ["foo", 276],
      ["bar$", 0],
      ["é", 0],
    ] as const)
      expect(await both({ pattern, counts: true })).toMatchObject({ matches });
  });

  test("gives the same for any text and any words, page by page", async () => {
    const piece = fc.constantFrom(...LINES, "a", "b", " ", "foo", "\n", "\n", "\r\n", "ä", "😀");
    const contents = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    const encodings = fc.constantFrom("utf8" as const, "latin1" as const);
    const file = fc.tuple(contents, encodings).map(([words, encoding]) => Buffer.from(words, encoding));
    const wishes = fc.record({
      pattern: fc.oneof(
        fc.constantFrom(...PATTERNS),
        fc
          .array(fc.constantFrom("a", "b", "o", ".", "ä", "[^a]", "\\w", "$", "^"), { minLength: 1, maxLength: 4 })
          .map((parts) => parts.join("")),
      ),
      literal: fc.boolean(),
      ignore_case: fc.boolean(),
      context: fc.constantFrom(0, 1, 3),
      limit: fc.constantFrom(1, 3, 100),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 4 }),
        fc.array(wishes, { minLength: 3, maxLength: 3 }),
        async (contentsOf, wished) => {
          const { both } = await openSides(
            Object.fromEntries(contentsOf.map((bytes, at) => [`d${at % 2}/f${at}`, bytes])),
          );
          for (const wish of wished) {
            const first = await both(wish);
            if (first.next !== undefined) await both({ ...wish, ...first.next });
          }
        },
      ),
      { numRuns: Number(process.env["SEARCH_RUNS"] ?? 8) },
    );
  });

  test("gives the same where there are more files than one batch, and some cannot be read", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1100 }, (_, at) => [`d${at % 9}/f${at}`, at % 10 === 0 ? "needle\n" : "hay\n"]),
    );
    const { root, both } = await openSides({
      ...many,
      ".gitignore": "d3/\n",
      "d4/.gitignore": "f4*\n!f40\n",
      "d5/.ignore": "*\n",
    });
    expect(await both({ pattern: "needle" })).toMatchObject({ searched: 967 });
    expect(await both({ pattern: "needle", glob: "*7*", ignored: true })).toMatchObject({ matches: 20 });
    if (process.getuid?.() === 0) return;
    await chmod(path.join(root, "d0/f0"), 0);
    onTestFinished(() => chmod(path.join(root, "d0/f0"), 0o600));
    expect(await both({ pattern: "needle" })).toMatchObject({ skipped: ["d0/f0"] });
  });
});

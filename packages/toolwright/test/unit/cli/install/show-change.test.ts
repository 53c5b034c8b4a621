import { expect, test } from "vitest";
import { diffOf } from "../../../../src/cli/install/show-change.js";
import { CLIENTS } from "../../../../src/clients/client-list.js";

/** What is shown where one file becomes another. */
async function shown(id: string, before: string, after: string): Promise<readonly string[]> {
  const client = CLIENTS.find((each) => each.id === id);
  if (client === undefined) throw new Error(`There is no client ${id}`);
  const [file, place] = ["/f", { scope: "user", file: "/f", keys: [] }] as const;
  const config = { file, place: file, bytes: Buffer.from(before), text: before };
  return (await diffOf({ client, place, config, action: "update", after })).trimEnd().split("\n").slice(3);
}

test("secrets of YAML are masked however they are written", async () => {
  const before = `envs:
  DB: 'it''s-s3cr3t'
  LONG: s3cr3t one
    s3cr3t two
  TEXT: |
    s3cr3t three

    s3cr3t four
  ESCAPED: "s3cr3t\\x41" # mine
  NUMBER: 0x1F
a: 1
`;
  expect(await shown("goose", before, before.replaceAll("s3cr3t", "other"))).toEqual([
    " envs:",
    "-  DB: '…'",
    "-  LONG: …",
    "-    …",
    "+  DB: '…'",
    "+  LONG: …",
    "+    …",
    "   TEXT: …",
    "-    …",
    "+    …",
    " ",
    "-    …",
    '-  ESCAPED: "…" # mine',
    "+    …",
    '+  ESCAPED: "…" # mine',
    "   NUMBER: …",
    " a: 1",
  ]);
});

test("secrets of TOML are masked however they are written", async () => {
  const before = `[a.env]
A = '''
s3cr3t "one
s3cr3t two'''
B = """s3cr3t \\
   three"""
C = "s3cr3t\\U0001F600" # it's "mine"
D = { E = 's3cr3t' }
`;
  const after = before.replace("C = ", "x = 1\r\nC = ");
  expect(await shown("codex", before, after)).toEqual([
    " …",
    " B = …",
    "    …",
    "+x = …\r",
    ' C = "…" # it\'s "mine"',
    " D = { E = '…' }",
  ]);
});

test("secrets of JSON are masked beside remarks with quotes", async () => {
  const before = `{ "env": {
  /* don't */ "A": "it is 's3cr3t'", // isn't it
  "B": "s3cr3t\\u0041"
} }`;
  expect(await shown("cursor", before, before.replace(" }", " , }"))).toEqual([
    ' { "env": {',
    `   /* don't */ "A": "…", // isn't it`,
    '   "B": "…"',
    "-} }",
    "\\ No newline at end of file",
    "+} , }",
    "\\ No newline at end of file",
  ]);
});

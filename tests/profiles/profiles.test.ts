import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { type Conversation, fill, isLike, readConversations, toSent } from "./conversation.js";
import { ProfileServer } from "./profile-server.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (file: string): string => readFileSync(root + file, "utf8");
const profiles = readdirSync(`${root}packages/toolwright/profiles`).map((file) => file.replace(".jsonc", ""));

async function lead(profile: string, conversation: Conversation): Promise<void> {
  const server = await ProfileServer.start(profile, conversation);
  for (const { client, server: expected } of conversation.turns) {
    const arrived = (await server.say(client.map(toSent), expected.length)).map(parse);
    const filled = expected.map((line, at) => (at < arrived.length ? fill(parse(line), arrived[at] as Json) : line));
    expect(arrived, `after ${client.join("\n").slice(0, 200)}`).toEqual(filled);
  }
  expect(await server.end()).toEqual({ code: 0, more: [] });
  const lines = server.log;
  let from = 0;
  for (const expected of conversation.log) {
    const at = lines.findIndex((line, index) => index >= from && isLike(expected, withoutTime(line)));
    if (at === -1) expect.fail(`The log has no line "${expected}" after ${from} lines:\n${lines.join("\n")}`);
    from = at + 1;
  }
}

const withoutTime = (line: string): string => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /, "");

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The rows of a table: the line of the document, what it demands, what proves it. */
const rowsOf = (table: string): string[][] =>
  table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** What is wrong with the proof of a row: it names conversations of its profile, `file.test.ts › name of a test`, or says `not applicable: why`. */
function faultsOf(proof: string, titles: readonly string[]): string[] {
  if (/^not applicable: \S/.test(proof)) return [];
  const names = [...proof.matchAll(/`([^`]+)`/g)].map((found) => found[1] as string);
  if (names.length === 0) return [`"${proof}" names no test`];
  return names.flatMap((name) => {
    const [file = "", title] = name.split(" › ");
    if (title === undefined) return titles.includes(name) ? [] : [`there is no conversation "${name}"`];
    if (!existsSync(root + file)) return [`there is no file ${file}`];
    return read(file).includes(title) ? [] : [`${file} has no test "${title}"`];
  });
}

describe.each(profiles)("%s", (profile) => {
  const conversations = readConversations(read(`tests/profiles/${profile}.txt`));
  const titles = conversations.map(({ title }) => title);

  test.each(conversations)("$title", (conversation) => lead(profile, conversation));

  test("each conversation has a title of its own", () => {
    expect(titles).toEqual([...new Set(titles)]);
  });

  test("each row of its table names a test that exists", () => {
    const rows = rowsOf(read(`tests/profiles/${profile}.md`));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row, "line, demand and proof").toHaveLength(3);
    expect(rows.flatMap(([line, , proof = ""]) => faultsOf(proof, titles).map((fault) => `${line}: ${fault}`))).toEqual(
      [],
    );
  });
});

describe("what is expected of a message", () => {
  test.each<[Json, Json, boolean]>([
    [{ id: 1, at: "‹any›" }, { at: 5, id: 1 }, true],
    [{ id: 1 }, { id: 1, more: 2 }, false],
    [{ id: 1, "‹rest›": true }, { id: 1, more: 2 }, true],
    [{ id: 1, "‹rest›": true }, { more: 2 }, false],
    [[1, "‹rest›"], [1, 2, 3], true],
    [[1, 2], [1, 2, 3], false],
    [["‹rest›", 2, "‹rest›"], [1, 2, 3], true],
    [["‹rest›", 3], [1, 2, 3], true],
    [["‹rest›", 4, "‹rest›"], [1, 2, 3], false],
    [["‹rest›", 2], [1, 2, 3], false],
    ["(a) ‹any›.", "(a) b c.", true],
    ["(a) ‹any›.", "(b) c.", false],
  ])("%j and %j", (expected, arrived, isSame) => {
    expect(JSON.stringify(sorted(fill(expected, arrived))) === JSON.stringify(sorted(arrived))).toBe(isSame);
  });
});

const sorted = (value: Json): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b)))
    : value;

test("a file of conversations is refused where a line is none of the format", () => {
  expect(() => readConversations("=== a\n-> {}\n")).toThrow('a: cannot read "-> {}"');
  expect(() => readConversations("→ {}\n")).toThrow("Conversations begin with === and a title");
  expect(readConversations('=== a\n@ serve --x 1\n→ {\n    "id": 1 }\n→ b\n← c\n! d\n')).toEqual([
    {
      title: "a",
      isHttp: false,
      words: ["--x", "1"],
      commands: [],
      turns: [{ client: ['{ "id": 1 }', "b"], server: ["c"] }],
      log: ["d"],
    },
  ]);
});

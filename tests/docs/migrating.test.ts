import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { JsonObject } from "@toolwright/engine";
import { type Client, connect } from "@toolwright/engine/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { blocksOf, readPage, root } from "./pages.js";

// What a busy machine may take.
const PATIENCE = 120_000;
const PEERS = `${root}bench/peers/node_modules/`;
const isPeerThere = existsSync(`${PEERS}fastmcp/package.json`);

/** Writes the block of a page with this word as a program where it finds its packages, and gives the file. */
function write(page: string, word: "before" | "after", modules: string): string {
  const block = blocksOf(readPage(`docs/guides/${page}.md`)).find(({ words }) => words.includes(word));
  if (block === undefined) throw new Error(`${page} has no block "${word}"`);
  const folder = `${modules}.cache/toolwright-migrating-${process.pid}-${page}-${word}/`;
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(`${folder}server.mjs`, block.code);
  return `${folder}server.mjs`;
}

/** Asks a server everything that the pages promise. */
async function interview(file: string, revision: string): Promise<object> {
  const client = await connect({ command: process.execPath, args: [file] }, { revision });
  onTestFinished(() => client.close());
  const progress: object[] = [];
  return {
    server: client.server.info?.["name"],
    tools: (await client.listTools()).map(({ name, description, inputSchema }) => ({
      name,
      description,
      ...shapeOf(inputSchema),
    })),
    resources: (await client.listResources()).map(({ name, uri, mimeType }) => ({ name, uri, mimeType })),
    prompts: (await client.listPrompts()).map(({ name, description, arguments: fields = [] }) => [
      name,
      description,
      fields.map((field) => [field.name, field.required]),
    ]),
    answer: resultOf(await client.callTool("price", { item: "apple" })),
    failure: resultOf(await client.callTool("price", { item: "pear" })),
    packed: resultOf(
      await client.callTool("pack", { items: ["apple", "bread"] }, { onProgress: (step) => progress.push(step) }),
    ),
    progress,
    resource: await readFirst(client),
    prompt: (await client.getPrompt("offer", { item: "apple" })).messages,
  };
}

async function readFirst(client: Client): Promise<object> {
  const { contents } = await client.readResource("shop://prices");
  const [first] = contents;
  return { uri: first?.uri, mimeType: first?.mimeType, text: first?.text };
}

type Result = Awaited<ReturnType<Client["callTool"]>>;
const shapeOf = ({ properties, required }: JsonObject) => ({ properties, required });
const resultOf = ({ content, isError = false }: Result) => ({ content, isError });

const text = (words: string) => [{ type: "text", text: words }];
const SHOP = {
  server: "shop",
  tools: [
    {
      name: "price",
      description: "Returns the price of an item.",
      properties: { item: { type: "string", description: "Its name." } },
      required: ["item"],
    },
    {
      name: "pack",
      description: "Packs items.",
      properties: { items: { type: "array", items: { type: "string" } } },
      required: ["items"],
    },
  ],
  resources: [{ name: "prices", uri: "shop://prices", mimeType: "application/json" }],
  prompts: [["offer", "Writes an offer.", [["item", true]]]],
  answer: { content: text("apple: 3"), isError: false },
  failure: { content: text("There is no pear. There are: apple, bread."), isError: true },
  packed: { content: text("Packed 2 items."), isError: false },
  progress: [
    { progress: 1, total: 2, message: "apple" },
    { progress: 2, total: 2, message: "bread" },
  ],
  resource: { uri: "shop://prices", mimeType: "application/json", text: '{"apple":3,"bread":5}' },
  prompt: [{ role: "user", content: { type: "text", text: "Write an offer for apple." } }],
};

const OWN = `${root}node_modules/`;

describe.each([
  { page: "migrating-from-sdk-1", modules: OWN, revisions: ["2025-11-25", "2025-06-18"], isThere: true },
  { page: "migrating-from-sdk-2", modules: OWN, revisions: ["2026-07-28", "2025-11-25"], isThere: true },
  { page: "migrating-from-fastmcp", modules: PEERS, revisions: ["2025-11-25"], isThere: isPeerThere },
])("$page", ({ page, modules, revisions, isThere }) => {
  // The peer is installed by the benchmark (bench/install-peers.mjs), not with the project.
  test.skipIf(!isThere).each(revisions)(
    "the server before answers as the page promises, to clients of %s",
    { timeout: PATIENCE },
    async (revision) => {
      expect(await interview(write(page, "before", modules), revision)).toEqual(SHOP);
    },
  );

  test.each(revisions)(
    "the server after gives the same answers, to clients of %s",
    { timeout: PATIENCE },
    async (revision) => {
      expect(await interview(write(page, "after", OWN), revision)).toEqual(SHOP);
    },
  );
});

describe("what the pages say is different", () => {
  test.each(["migrating-from-sdk-1", "migrating-from-sdk-2"])(
    "%s: an argument that nobody knows is taken away before, and refused after",
    { timeout: PATIENCE },
    async (page) => {
      const ask = async (word: "before" | "after") => {
        const client = await connect({ command: process.execPath, args: [write(page, word, OWN)] });
        onTestFinished(() => client.close());
        return resultOf(await client.callTool("price", { item: "apple", colour: "red" }));
      };
      expect(await ask("before")).toEqual({ content: text("apple: 3"), isError: false });
      expect(await ask("after")).toMatchObject({ isError: true });
    },
  );

  test.skipIf(!isPeerThere)(
    "migrating-from-fastmcp: wrong arguments are an error of the protocol before, and a result after",
    { timeout: PATIENCE },
    async () => {
      const page = "migrating-from-fastmcp";
      const ask = async (file: string) => {
        const client = await connect({ command: process.execPath, args: [file] });
        onTestFinished(() => client.close());
        return client.callTool("price", {});
      };
      await expect(ask(write(page, "before", PEERS))).rejects.toMatchObject({ code: -32602 });
      expect(await ask(write(page, "after", OWN))).toMatchObject({ isError: true });
    },
  );
});

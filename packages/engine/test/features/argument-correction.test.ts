import { ToolError, tool } from "@toolwright/engine";
import { describe, expect } from "vitest";
import { z } from "zod";
import { everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const input = z.object({
  userId: z.number().int(),
  mode: z.enum(["Fast", "Slow"]),
  active: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
});
const search = tool({ name: "search", description: "Searches.", input, run: (given) => JSON.stringify(given) });
const plain = tool({
  name: "plain",
  description: "Searches.",
  input: {
    type: "object",
    properties: {
      userId: { type: "integer" },
      mode: { enum: ["Fast", "Slow"] },
      active: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["userId", "mode"],
  },
  run: (given) => JSON.stringify(given),
});

const MISTAKEN = { user_id: "5", mode: "fast", active: "true", tags: '["a"]' };
const REPAIRS = [
  "user_id: read as userId",
  'userId: read "5" as the number 5',
  'mode: read "fast" as "Fast"',
  'active: read "true" as true',
  "tags: read the text as JSON",
];

describe("arguments with an unambiguous meaning", () => {
  everyRevision("are corrected, with a notice in the text and in _meta", async (open) => {
    const client = await open(serverWith([search, plain]));
    for (const name of ["search", "plain"]) {
      const result = await client.callTool(name, MISTAKEN);
      expect(result["isError"]).toBe(false);
      expect(result["content"]).toEqual([
        { type: "text", text: '{"userId":5,"mode":"Fast","active":true,"tags":["a"]}' },
        { type: "text", text: `Note: the arguments were corrected: ${REPAIRS.join("; ")}.` },
      ]);
      expect(result["_meta"]).toMatchObject({ "toolwright/corrections": REPAIRS });
    }
  });

  everyRevision("are returned without a notice if nothing was corrected", async (open) => {
    const client = await open(serverWith([search]));
    const result = await client.callTool("search", { userId: 5, mode: "Fast" });
    expect(result["content"]).toHaveLength(1);
    expect(JSON.stringify(result)).not.toContain("toolwright/corrections");
  });

  everyRevision("may be a string that contains JSON", async (open) => {
    const client = await open(serverWith([search]));
    const result = await client.request("tools/call", { name: "search", arguments: '{"userId":1,"mode":"Fast"}' });
    expect(result["content"]).toEqual([
      { type: "text", text: '{"userId":1,"mode":"Fast"}' },
      { type: "text", text: "Note: the arguments were corrected: read the text as JSON." },
    ]);
    expect(result["_meta"]).toMatchObject({ "toolwright/corrections": ["read the text as JSON"] });
    expect(await client.request("tools/call", { name: "search", arguments: "no json" })).toMatchObject({
      isError: true,
    });
  });

  onRevisions([STATELESS], "are reported in _meta next to the server info", async (open) => {
    const result = await (await open(serverWith([search]))).callTool("search", MISTAKEN);
    expect(Object.keys(result["_meta"] as object)).toEqual([
      "io.modelcontextprotocol/serverInfo",
      "toolwright/corrections",
    ]);
  });

  everyRevision(
    "are corrected before a tool fails, and the result contains both the error and the notice",
    async (open) => {
      const failing = (error: Error) =>
        tool({
          ...search,
          output: z.object({}),
          run() {
            throw error;
          },
        });
      const note = { type: "text", text: `Note: the arguments were corrected: ${REPAIRS.join("; ")}.` };
      const missing = new ToolError("There is no user 5", { code: "NOT_FOUND" });
      const result = await (await open(serverWith([failing(missing)]))).callTool("search", MISTAKEN);
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: "There is no user 5" }, note],
        _meta: { "toolwright/corrections": REPAIRS, "toolwright/failure": { code: "NOT_FOUND" } },
      });
      const broken = await (await open(serverWith([failing(new Error("no"))]))).callTool("search", MISTAKEN);
      expect(broken).toMatchObject({
        isError: true,
        content: [{}, note],
        _meta: { "toolwright/corrections": REPAIRS },
      });
    },
  );
});

describe("ambiguous arguments", () => {
  everyRevision("are rejected with a suggestion", async (open) => {
    const client = await open(serverWith([search]));
    for (const given of [
      { userId: 5, mode: "Fats" },
      { userId: "5.5", mode: "Fast" },
      { userId: "five", mode: "Fast" },
      { userId: 5, mode: "Fast", active: "yes" },
      { userId: 5, user_id: 6, mode: "Fast" },
    ]) {
      const result = await client.callTool("search", given);
      expect(result, JSON.stringify(given)).toMatchObject({ isError: true });
      expect((result["content"] as { text: string }[])[0]?.text).toContain("Example of a valid call: ");
    }
  });
});

describe("correction is disabled", () => {
  const refused = { isError: true };

  everyRevision("for destructive tools, regardless of the options", async (open) => {
    const marked = { annotations: { destructiveHint: true } };
    const client = await open(
      serverWith([tool({ ...search, ...marked }), tool({ ...plain, ...marked, correctArguments: true })], {
        toolOptions: { correctArguments: true },
      }),
    );
    expect(await client.callTool("search", MISTAKEN)).toMatchObject(refused);
    expect(await client.callTool("plain", MISTAKEN)).toMatchObject(refused);
    await expect(
      client.request("tools/call", { name: "search", arguments: '{"userId":1,"mode":"Fast"}' }),
    ).rejects.toMatchObject({ code: -32602 });
    expect(await client.callTool("search", { userId: 1, mode: "Fast" })).toMatchObject({ isError: false });
  });

  everyRevision("for destructive tools, and the example contains no invented values", async (open) => {
    const marked = { annotations: { destructiveHint: true } };
    const client = await open(serverWith([tool({ ...search, ...marked }), tool({ ...plain, ...marked })]));
    const hint = async (name: string, given: object) => {
      const { content } = await client.callTool(name, { ...given });
      return (content as { text: string }[])[0]?.text.split("Example of a valid call: ")[1];
    };
    for (const name of ["search", "plain"]) {
      const meant = { userId: 5, mode: "Fast", active: true, tags: ["a"] };
      expect(JSON.parse((await hint(name, MISTAKEN)) ?? "")).toEqual({ name, arguments: meant });
      expect(await hint(name, { ...MISTAKEN, mode: "Fats" })).toBeUndefined();
      expect(await hint(name, { mode: "Fast" })).toBeUndefined();
      expect(await hint(name, { userId: 5, mode: "Fast", other: 1 })).toBeUndefined();
    }
  });

  everyRevision(
    "for a server with correctArguments: false, and the example call contains the intended value",
    async (open) => {
      const client = await open(serverWith([search, plain], { toolOptions: { correctArguments: false } }));
      for (const name of ["search", "plain"]) {
        const { content } = await client.callTool(name, { ...MISTAKEN, active: "yes" });
        const meant = { userId: 5, mode: "Fast", active: true, tags: ["a"] };
        expect((content as { text: string }[])[0]?.text).toContain(JSON.stringify({ name, arguments: meant }));
      }
    },
  );

  everyRevision("for a server with correctArguments: false, except for tools that enable it", async (open) => {
    const client = await open(
      serverWith([search, tool({ ...plain, correctArguments: true })], { toolOptions: { correctArguments: false } }),
    );
    expect(await client.callTool("search", MISTAKEN)).toMatchObject(refused);
    expect(await client.callTool("plain", MISTAKEN)).toMatchObject({ isError: false });
  });

  everyRevision("for a tool with correctArguments: false", async (open) => {
    const client = await open(serverWith([tool({ ...search, correctArguments: false }), plain]));
    expect(await client.callTool("search", MISTAKEN)).toMatchObject(refused);
    expect(await client.callTool("plain", MISTAKEN)).toMatchObject({ isError: false });
  });

  everyRevision("but not for tools without a destructiveHint", async (open) => {
    const client = await open(serverWith([tool({ ...search, annotations: { readOnlyHint: false } })]));
    expect(await client.callTool("search", MISTAKEN)).toMatchObject({ isError: false });
  });
});

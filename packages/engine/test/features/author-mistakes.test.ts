import {
  content,
  createServer,
  image,
  type LogEntry,
  prompt,
  resource,
  resourceTemplate,
  tool,
} from "@toolwright/engine";
import type { ListedResource } from "@toolwright/engine/types";
import { describe, expect, test } from "vitest";
import { everyRevision, onRevisions } from "../support/every-revision.js";

const log = (): void => undefined;

describe("a sparse array", () => {
  const holes: never[] = [];
  holes.length = 3;

  everyRevision("is rejected if a handler returns it", async (open) => {
    const odd = prompt({
      name: "odd",
      description: "Gives nothing, three times.",
      input: { type: "object", properties: { which: { type: "string" } } },
      complete: { which: () => holes },
      run: () => holes,
    });
    const server = createServer({
      name: "test",
      version: "1.0.0",
      prompts: [odd],
      resources: [resource({ uri: "odd://holes", name: "holes", read: () => holes })],
      log,
    });
    const client = await open(server);
    const ref = { type: "ref/prompt", name: "odd" };
    const answers = await Promise.all([
      client.startRequest("prompts/get", { name: "odd" }).response,
      client.startRequest("resources/read", { uri: "odd://holes" }).response,
      client.startRequest("completion/complete", { ref, argument: { name: "which", value: "" } }).response,
    ]);
    expect(answers.map(({ error }) => error)).toEqual([
      { code: -32603, message: "The prompt failed unexpectedly: the details are in the server's log" },
      { code: -32603, message: "The resource failed unexpectedly: the details are in the server's log" },
      { code: -32603, message: "The completion failed unexpectedly: the details are in the server's log" },
    ]);
  });
});

describe("an invalid resource in the list of a template", () => {
  const odd: [string, object, string][] = [
    ["a title that is null", { title: null }, "title must be a string"],
    ["a description that is a number", { description: 5 }, "description must be a string"],
    ["a mimeType that is null", { mimeType: null }, "mimeType must be a string"],
    ["icons that are null", { icons: null }, "icons must be an array"],
    ["annotations that are null", { annotations: null }, "annotations must be an object"],
    [
      "a priority that is text",
      { annotations: { priority: "0.5" } },
      "annotations.priority must be a number from 0 to 1",
    ],
    ["a meta that is null", { meta: null }, "meta must be a JSON-serializable object"],
  ];

  for (const [what, members, reason] of odd) {
    everyRevision(`is rejected with ${what}, because clients would drop the whole list`, async (open) => {
      const entries: LogEntry[] = [];
      const one = { uri: "row://1", name: "row", ...members } as unknown as ListedResource;
      const rows = resourceTemplate({
        uri: "row://{id}",
        name: "rows",
        list: () => ({ resources: [one] }),
        read: () => "text",
      });
      const server = createServer({
        name: "test",
        version: "1.0.0",
        resources: [rows],
        log: (entry) => void entries.push(entry),
      });
      const client = await open(server);
      const { error } = await client.startRequest("resources/list").response;
      expect(error).toMatchObject({ code: -32603 });
      expect(String(entries.at(-1)?.error)).toBe(
        `TypeError: The list of resource template "row://{id}" is invalid: ${JSON.stringify(one)}: ${reason}`,
      );
    });
  }

  test("is rejected with the same message in a definition", () => {
    for (const [, members, reason] of odd) {
      const given = { uri: "row://1", name: "row", read: () => "text", ...members };
      expect(() => resource(given as never)).toThrow(new TypeError(`Cannot define resource "row://1": ${reason}`));
    }
  });
});

describe("a definition", () => {
  const run = (): string => "text";

  test.each<[string, object, string]>([
    ["a title that is null", { title: null }, "title must be a string"],
    ["icons that are null", { icons: null }, "icons must be an array"],
    ["an icon that is null", { icons: [null] }, "icons[0] must be an object"],
    [
      "sizes that are no list",
      { icons: [{ src: "https://example.com/a.png", sizes: "48x48" }] },
      'icons[0].sizes must be an array such as ["48x48"]',
    ],
    [
      "the type of an icon that is a number",
      { icons: [{ src: "https://example.com/a.png", mimeType: 5 }] },
      "icons[0].mimeType must be a string",
    ],
    [
      "an icon with an unknown theme",
      { icons: [{ src: "https://example.com/a.png", theme: "blue" }] },
      "icons[0].theme must be light or dark",
    ],
    ["a meta that is a list", { meta: [] }, "meta must be a JSON-serializable object"],
  ])("is rejected with %s, because clients would drop the whole list", (_what, members, reason) => {
    const given = { name: "odd", description: "Odd.", run, ...members } as never;
    expect(() => tool(given)).toThrow(new TypeError(`Cannot define tool "odd": ${reason}`));
    expect(() => prompt(given)).toThrow(new TypeError(`Cannot define prompt "odd": ${reason}`));
  });

  test.each<[unknown, string]>([
    [null, "annotations must be an object"],
    [{ readOnlyHint: "yes" }, "annotations.readOnlyHint must be true or false"],
    [{ title: 5 }, "annotations.title must be a string"],
  ])("of a tool is rejected with the annotations %j", (annotations, reason) => {
    const given = { name: "odd", description: "Odd.", run, annotations } as never;
    expect(() => tool(given)).toThrow(new TypeError(`Cannot define tool "odd": ${reason}`));
  });
});

describe("invalid content", () => {
  everyRevision(
    "is an error of the handler: an image that is not base64, contents with an invalid URI [TOOL-15]",
    async (open) => {
      const entries: LogEntry[] = [];
      const client = await open(
        createServer({
          name: "test",
          version: "1.0.0",
          tools: [
            tool({
              name: "picture",
              description: "Shows.",
              run: () => content(image("data:image/png;base64,AA==", "image/png")),
            }),
          ],
          resources: [resource({ uri: "x://a", name: "a", read: () => ({ uri: "not a uri", text: "a" }) })],
          log: (entry) => void entries.push(entry),
        }),
      );
      expect(await client.callTool("picture")).toMatchObject({ isError: true });
      await expect(client.request("resources/read", { uri: "x://a" })).rejects.toMatchObject({ code: -32603 });
      expect(entries.map(({ error }) => (error as Error).message)).toEqual([
        'Content block 0 is invalid: {"type":"image","data":"data:image/png;base64,AA==","mimeType":"image/png"}',
        "A resource returned contents with an invalid uri: it has no scheme",
      ]);
    },
  );
});

describe("an input request that exceeds the size limit only with its envelope", () => {
  onRevisions(["2025-06-18", "2025-11-25"], "fails at once", async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks much.",
      run: async (_, call) => {
        await call.elicit("much", "x".repeat(19_840), { type: "object", properties: {} });
        return "answered";
      },
    });
    const server = createServer({
      name: "test",
      version: "1.0.0",
      tools: [asking],
      limits: { messageBytes: 20_000 },
      log,
    });
    const client = await open(server, { responses: { much: {} } });
    const result = await client.callTool("asking");
    expect(result["content"]).toEqual([
      { type: "text", text: "This tool cannot send elicitation/create: the request is too large." },
    ]);
  });
});

import {
  content,
  createServer,
  image,
  type ListedResource,
  type LogEntry,
  prompt,
  resource,
  resourceTemplate,
  tool,
} from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyRevision, onRevisions } from "../support/every-revision.js";

const log = (): void => undefined;

describe("A completion", () => {
  everyRevision("that counts without end gives no total [CMPL-02]", async (open) => {
    const endless = prompt({
      name: "endless",
      description: "Has a choice of many.",
      input: { type: "object", properties: { which: { type: "string" } } },
      complete: { which: () => ({ values: ["a"], total: Number.POSITIVE_INFINITY }) },
      run: () => "text",
    });
    const client = await open(createServer({ name: "test", version: "1.0.0", prompts: [endless], log }));
    const ref = { type: "ref/prompt", name: "endless" };
    const { completion } = await client.request("completion/complete", { ref, argument: { name: "which", value: "" } });
    expect(completion).toEqual({ values: ["a"], hasMore: true });
  });
});

describe("A list with holes", () => {
  const holes: never[] = [];
  holes.length = 3;

  everyRevision("is refused where a handler gives it", async (open) => {
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
      client.start("prompts/get", { name: "odd" }).answer,
      client.start("resources/read", { uri: "odd://holes" }).answer,
      client.start("completion/complete", { ref, argument: { name: "which", value: "" } }).answer,
    ]);
    expect(answers.map(({ error }) => error)).toEqual([
      { code: -32603, message: "The prompt failed unexpectedly: the details are in the server's log" },
      { code: -32603, message: "The resource failed unexpectedly: the details are in the server's log" },
      { code: -32603, message: "The completion failed unexpectedly: the details are in the server's log" },
    ]);
  });
});

describe("A resource as a family lists it", () => {
  const odd: [string, object, string][] = [
    ["a title that is null", { title: null }, "title must be text"],
    ["a description that is a number", { description: 5 }, "description must be text"],
    ["a mimeType that is null", { mimeType: null }, "mimeType must be text"],
    ["icons that are null", { icons: null }, "icons must be a list"],
    ["annotations that are null", { annotations: null }, "annotations must be an object"],
    ["a priority that is text", { annotations: { priority: "0.5" } }, "annotations.priority must be from 0 to 1"],
    ["a meta that is null", { meta: null }, "meta must be an object that JSON can write"],
  ];

  for (const [what, members, reason] of odd) {
    everyRevision(`is refused with ${what}, which would cost clients the whole list`, async (open) => {
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
      const { error } = await client.start("resources/list").answer;
      expect(error).toMatchObject({ code: -32603 });
      expect(String(entries.at(-1)?.error)).toBe(
        `TypeError: The list of resource "row://{id}" is not right: ${JSON.stringify(one)}: ${reason}`,
      );
    });
  }

  test("is refused in the same way where it is defined", () => {
    for (const [, members, reason] of odd) {
      const given = { uri: "row://1", name: "row", read: () => "text", ...members };
      expect(() => resource(given as never)).toThrow(new TypeError(`Cannot define resource "row://1": ${reason}`));
    }
  });
});

describe("A definition", () => {
  const run = (): string => "text";

  test.each<[string, object, string]>([
    ["a title that is null", { title: null }, "title must be text"],
    ["icons that are null", { icons: null }, "icons must be a list"],
    ["an icon that is null", { icons: [null] }, "an icon's src must be an https: or data: URI"],
    [
      "sizes that are no list",
      { icons: [{ src: "https://example.com/a.png", sizes: "48x48" }] },
      'an icon\'s sizes must be a list such as ["48x48"]',
    ],
    [
      "the type of an icon that is a number",
      { icons: [{ src: "https://example.com/a.png", mimeType: 5 }] },
      "an icon's mimeType must be text",
    ],
    [
      "an icon for a theme that nobody has",
      { icons: [{ src: "https://example.com/a.png", theme: "blue" }] },
      "an icon's theme must be light or dark",
    ],
    ["a meta that is a list", { meta: [] }, "meta must be an object that JSON can write"],
  ])("is refused with %s, which would cost clients the whole list", (_what, members, reason) => {
    const given = { name: "odd", description: "Odd.", run, ...members } as never;
    expect(() => tool(given)).toThrow(new TypeError(`Cannot define tool "odd": ${reason}`));
    expect(() => prompt(given)).toThrow(new TypeError(`Cannot define prompt "odd": ${reason}`));
  });

  test.each<[unknown, string]>([
    [null, "annotations must be an object"],
    [{ readOnlyHint: "yes" }, "annotations.readOnlyHint must be true or false"],
    [{ title: 5 }, "annotations.title must be text"],
  ])("of a tool is refused with the annotations %j, which clients cannot read", (annotations, reason) => {
    const given = { name: "odd", description: "Odd.", run, annotations } as never;
    expect(() => tool(given)).toThrow(new TypeError(`Cannot define tool "odd": ${reason}`));
  });
});

describe("Content that no client could read", () => {
  everyRevision(
    "is a failure of its author: an image that is no base64, a piece that is no URI [TOOL-15]",
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
        'Block 0 of the content is none: {"type":"image","data":"data:image/png;base64,AA==","mimeType":"image/png"}',
        "A resource gave a piece, but its uri is not right: it has no scheme",
      ]);
    },
  );
});

describe("A question that just fits without what stands around it", () => {
  onRevisions(["2025-06-18", "2025-11-25"], "is refused at once, and not waited for", async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks much.",
      run: async (_, call) => {
        await call.ask("much", "x".repeat(19_840), { type: "object", properties: {} });
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
    const client = await open(server, { answers: { much: {} } });
    const result = await client.callTool("asking");
    expect(result["content"]).toEqual([{ type: "text", text: "The tool asks a question that is too large to send." }]);
  });
});

import { describe, expect, test } from "vitest";
import { RpcError } from "../../src/jsonrpc/errors.js";
import type { JsonObject } from "../../src/jsonrpc/messages.js";
import { audio, type ContentBlock, embeddedResource, resourceLink, text } from "../../src/protocol/content.js";
import type { InputRequest, Outcome } from "../../src/protocol/outcome.js";
import type { Implementation, ToolDescription } from "../../src/protocol/types.js";
import { REVISIONS } from "../../src/revisions/negotiation.js";
import { getMeta, type Revision } from "../../src/revisions/revision.js";

const versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;

/** Calls a function for each revision, oldest first. */
const inEach = <Value>(run: (revision: Revision) => Value): Value[] =>
  versions.map((version) => run(REVISIONS.find((revision) => revision.version === version) as Revision));

test("the members of an implementation grow with the revisions", () => {
  const info: Implementation = {
    name: "n",
    version: "1",
    title: "N",
    description: "d",
    websiteUrl: "https://n.example",
    icons: [{ src: "https://n.example/i.png" }],
  };
  expect(inEach((revision) => Object.keys(revision.writeImplementation(info)).join(" "))).toEqual([
    "name version",
    "name version",
    "name version title",
    "name version title description websiteUrl icons",
    "name version title description websiteUrl icons",
  ]);
});

test("the members of a tool grow with the revisions", () => {
  const tool: ToolDescription = {
    name: "t",
    title: "T",
    description: "d",
    inputSchema: { type: "object" },
    outputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
    icons: [{ src: "https://n.example/i.png" }],
    _meta: { "example.com/a": 1 },
  };
  expect(inEach((revision) => Object.keys(revision.writeTool(tool)).join(" "))).toEqual([
    "name description inputSchema",
    "name description inputSchema annotations",
    "name title description inputSchema outputSchema annotations _meta",
    "name title description inputSchema outputSchema annotations icons _meta",
    "name title description inputSchema outputSchema annotations icons _meta",
  ]);
});

test("only the newest revision lists output schemas of other types than object", () => {
  const tool: ToolDescription = { name: "t", description: "d", inputSchema: {}, outputSchema: { type: "array" } };
  expect(inEach((revision) => "outputSchema" in revision.writeTool(tool))).toEqual([false, false, false, false, true]);
});

test("structured content is an object from 2025-06-18 on, and any value in the newest revision", () => {
  expect(inEach((revision) => revision.writeStructuredContent('{"a":1}'))).toEqual([
    undefined,
    undefined,
    '{"a":1}',
    '{"a":1}',
    '{"a":1}',
  ]);
  expect(inEach((revision) => revision.writeStructuredContent("[1]"))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    "[1]",
  ]);
  expect(inEach((revision) => revision.writeStructuredContent("null")).at(-1)).toBe("null");
});

const written = (...blocks: ContentBlock[]) => inEach((revision) => revision.writeBlocks(blocks)[0] as JsonObject);

describe("content blocks", () => {
  test("text is the same in every revision", () => {
    expect(written(text("a"))).toEqual(versions.map(() => ({ type: "text", text: "a" })));
  });

  test("audio is sent as an embedded resource before 2025-03-26", () => {
    const block = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
    const resource = { uri: "content:audio", mimeType: "audio/wav", blob: "AAAA" };
    expect(written(audio("AAAA", "audio/wav"))).toEqual([{ type: "resource", resource }, block, block, block, block]);
  });

  test("a link to a resource is text before 2025-06-18, and has icons from 2025-11-25 on", () => {
    const plain = { type: "text", text: "Report: file:///r.md" };
    const icons = [{ src: "https://n.example/i.png" }];
    const link = { type: "resource_link", uri: "file:///r.md", name: "r", title: "Report" };
    expect(written(resourceLink("file:///r.md", "r", { title: "Report", icons }))).toEqual([
      plain,
      plain,
      link,
      { ...link, icons },
      { ...link, icons },
    ]);
  });

  test("_meta and lastModified are written from 2025-06-18 on", () => {
    const annotations = { priority: 1, lastModified: "2026-01-01T00:00:00Z" };
    const whole = { ...text("a"), annotations, _meta: { "example.com/a": 1 } };
    const bare = { type: "text", text: "a", annotations: { priority: 1 } };
    expect(written(whole)).toEqual([bare, bare, whole, whole, whole]);
  });

  test("_meta of an embedded resource is written from 2025-06-18 on", () => {
    const { resource } = embeddedResource("file:///a", { text: "a" }) as unknown as { resource: JsonObject };
    const block: ContentBlock = { type: "resource", resource: { ...resource, _meta: { "example.com/a": 1 } } };
    const bare = { type: "resource", resource: { uri: "file:///a", text: "a" } };
    expect(written(block)).toEqual([bare, bare, block, block, block]);
  });
});

test("progress has a message from 2025-03-26 on", () => {
  expect(inEach((revision) => "message" in revision.writeProgress({ progress: 1, message: "m" }))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
});

test("an unknown id is null up to 2025-06-18 and omitted from 2025-11-25 on", () => {
  expect(inEach(({ unknownId }) => unknownId)).toEqual([null, null, null, undefined, undefined]);
});

test("each revision has its methods, batching and handshake", () => {
  const common =
    "completion/complete prompts/get prompts/list resources/list resources/read resources/templates/list tools/call tools/list";
  const legacy = `${common} initialize logging/setLevel ping resources/subscribe resources/unsubscribe`;
  const sorted = (methods: string): string => methods.split(" ").toSorted().join(" ");
  expect(inEach(({ methods }) => [...methods].toSorted().join(" "))).toEqual([
    sorted(legacy),
    sorted(legacy),
    sorted(legacy),
    sorted(`${legacy} tasks/cancel tasks/get tasks/list tasks/result`),
    sorted(`${common} server/discover subscriptions/listen tasks/cancel tasks/get tasks/update`),
  ]);
  expect(inEach(({ batching }) => batching)).toEqual([true, true, false, false, false]);
  expect(inEach(({ handshake }) => handshake)).toEqual([true, true, true, true, false]);
});

test("only the newest revision adds members to results", () => {
  const outcome: Outcome = { kind: "plain", body: { tools: [] }, cache: { ttlMs: 0, scope: "private" } };
  expect(inEach((revision) => revision.writeResult(outcome, '"k":1'))).toEqual([
    '{"tools":[]}',
    '{"tools":[]}',
    '{"tools":[]}',
    '{"tools":[]}',
    '{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{"k":1}}',
  ]);
});

test("a result without members, server info and _meta is minimal", () => {
  expect(inEach((revision) => revision.writeResult({ kind: "plain", body: {} }, "")).at(-1)).toBe(
    '{"resultType":"complete"}',
  );
});

const question = (field: JsonObject): InputRequest => ({
  method: "elicitation/create",
  params: { message: "?", requestedSchema: { type: "object", properties: { a: field } } },
});

describe("input requests", () => {
  const fieldIn = (version: string, field: JsonObject): unknown => {
    const revision = REVISIONS.find((one) => one.version === version) as Revision;
    const form = revision.writeInputRequest(question(field))["requestedSchema"] as JsonObject;
    return (form["properties"] as JsonObject)["a"];
  };

  test("throw before 2025-06-18", () => {
    for (const version of ["2024-11-05", "2025-03-26"]) {
      expect(() => fieldIn(version, { type: "string" })).toThrow("the client's revision does not support elicitation");
    }
  });

  test("titled choices are enum and enumNames in 2025-06-18", () => {
    const field = {
      type: "string",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "l", title: "Large" },
      ],
    };
    expect(fieldIn("2025-06-18", field)).toEqual({ type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] });
    expect(fieldIn("2025-11-25", field)).toEqual(field);
  });

  test("only booleans have a default in 2025-06-18", () => {
    expect(fieldIn("2025-06-18", { type: "string", default: "x" })).toEqual({ type: "string" });
    expect(fieldIn("2025-06-18", { type: "boolean", default: true })).toEqual({ type: "boolean", default: true });
    expect(fieldIn("2025-11-25", { type: "string", default: "x" })).toEqual({ type: "string", default: "x" });
  });

  test("multiple choice fields throw in 2025-06-18", () => {
    expect(() => fieldIn("2025-06-18", { type: "array", items: { enum: ["a"] } })).toThrow(
      'the client\'s revision does not support multiple choice fields ("a")',
    );
  });

  test("are a result only in the newest revision", () => {
    const outcome = {
      kind: "input_required",
      inputRequests: new Map([["a", question({ type: "string" })]]),
      state: "s",
    } as const;
    const newest = REVISIONS[0] as Revision;
    expect(JSON.parse(newest.writeResult(outcome, ""))).toEqual({
      resultType: "input_required",
      inputRequests: { a: { method: "elicitation/create", params: question({ type: "string" }).params } },
      requestState: "s",
    });
    for (const older of REVISIONS.slice(1)) expect(() => older.writeResult(outcome, "")).toThrow(TypeError);
  });
});

test("an error is written with its data, if any", () => {
  expect(inEach((revision) => revision.writeError(new RpcError(-32601, "no")))).toEqual(
    versions.map(() => ({ code: -32601, message: "no" })),
  );
  expect(inEach((revision) => revision.writeError(new RpcError(-32602, "no", { a: 1 })))).toEqual(
    versions.map(() => ({ code: -32602, message: "no", data: { a: 1 } })),
  );
});

test("getMeta returns an object or undefined", () => {
  expect(getMeta({ params: { _meta: { a: 1 } } })).toEqual({ a: 1 });
  for (const params of [{}, { _meta: null }, { _meta: [] }, { _meta: "a" }])
    expect(getMeta({ params })).toBeUndefined();
  expect(getMeta({})).toBeUndefined();
});

import {
  type JsonObject,
  type LogEntry,
  prompt,
  resource,
  resourceTemplate,
  type ServerOptions,
} from "@toolwright/engine";
import { openMemoryConnection } from "@toolwright/engine/transport";
import type { Completer } from "@toolwright/engine/types";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { everyRevision } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { settled } from "./wire.js";

const input = {
  type: "object",
  properties: { city: { type: "string" }, country: { type: "string" }, tone: { enum: ["dry", "warm", null] } },
} as const;
const asking = (city: Completer) => prompt({ name: "p", description: "d", input, complete: { city }, run: () => "" });
const serve = (city: Completer, options: Partial<ServerOptions> = {}, entries: LogEntry[] = []) =>
  serverWith([], { prompts: [asking(city)], ...options }, entries);
const PROMPT = { type: "ref/prompt", name: "p" };
const of = (name: string, value: string, ref: JsonObject = PROMPT) => ({ ref, argument: { name, value } });

describe("completion/complete", () => {
  everyRevision(
    "suggests values for a prompt argument, those that start with the typed text first [CMPL-01 CMPL-02 CAP-02]",
    async (open) => {
      const client = await open(serve(["Bern", "Berlin", "Hamburg", "Nuremberg", "Paris"]));
      const complete = async (value: string) =>
        (await client.request("completion/complete", of("city", value)))["completion"];
      expect(await complete("Ber")).toEqual({ values: ["Bern", "Berlin", "Nuremberg"], total: 3, hasMore: false });
      expect(await complete("BER")).toMatchObject({ values: ["Bern", "Berlin", "Nuremberg"] });
      expect(await complete("")).toMatchObject({ values: ["Bern", "Berlin", "Hamburg", "Nuremberg", "Paris"] });
      expect(await complete("x")).toEqual({ values: [], total: 0, hasMore: false });
    },
  );

  everyRevision(
    "suggests values for a template variable, by URI template or by a matching URI [CMPL-01]",
    async (open) => {
      const family = resourceTemplate({
        uri: "task://{id}{?view,deep}",
        name: "task",
        variables: {
          type: "object",
          properties: { id: { type: "string" }, view: { enum: ["short", "long"] }, deep: { type: "boolean" } },
        },
        complete: { id: ["a-1", "a-2", "b-1"] },
        read: () => "",
      });
      const client = await open(serverWith([], { resources: [family] }));
      for (const uri of ["task://{id}{?view,deep}", "task://a-1", "TASK://a%2D1"]) {
        const ref = { type: "ref/resource", uri };
        expect((await client.request("completion/complete", of("id", "a", ref)))["completion"]).toMatchObject({
          values: ["a-1", "a-2"],
        });
        expect((await client.request("completion/complete", of("view", "", ref)))["completion"]).toMatchObject({
          values: ["short", "long"],
        });
        expect((await client.request("completion/complete", of("deep", "t", ref)))["completion"]).toMatchObject({
          values: ["true"],
        });
      }
    },
  );

  everyRevision("suggests the enum values of a schema without a completer [CMPL-01]", async (open) => {
    const zod = prompt({
      name: "z",
      description: "d",
      input: z.object({ tone: z.enum(["dry", "warm"]), loud: z.boolean(), text: z.string() }),
      run: () => "",
    });
    const client = await open(serverWith([], { prompts: [asking([]), zod] }));
    const complete = async (name: string, owner: string) =>
      (await client.request("completion/complete", of(name, "", { type: "ref/prompt", name: owner })))["completion"];
    expect(await complete("tone", "p")).toMatchObject({ values: ["dry", "warm"] });
    expect(await complete("tone", "z")).toMatchObject({ values: ["dry", "warm"] });
    expect(await complete("loud", "z")).toMatchObject({ values: ["true", "false"] });
    expect(await complete("text", "z")).toEqual({ values: [], total: 0, hasMore: false });
  });

  everyRevision("passes the typed text and the other arguments to a completer function [CMPL-03]", async (open) => {
    const seen: unknown[] = [];
    const client = await open(
      serve(async (typed, others) => {
        seen.push([typed, others]);
        return others["country"] === "France" ? ["Paris"] : ["Bern"];
      }),
    );
    const request = async (context?: JsonObject) =>
      (await client.request("completion/complete", { ...of("city", "P"), ...(context && { context }) }))["completion"];
    expect(await request({ arguments: { country: "France" } })).toMatchObject({ values: ["Paris"] });
    expect(await request()).toMatchObject({ values: ["Bern"] });
    await request({ arguments: { country: 5, city: "x" } });
    await request({ arguments: null });
    await request({});
    expect(seen).toEqual([
      ["P", { country: "France" }],
      ["P", {}],
      ["P", { city: "x" }],
      ["P", {}],
      ["P", {}],
    ]);
  });

  everyRevision("sends at most 100 values, with the correct total and hasMore [CMPL-02]", async (open) => {
    const many = Array.from({ length: 250 }, (_, at) => `v${at}`);
    const few = ["a", "b"];
    for (const [given, completion] of [
      [many, { values: many.slice(0, 100), total: 250, hasMore: true }],
      [many.slice(0, 100), { values: many.slice(0, 100), total: 100, hasMore: false }],
      [few, { values: few, total: 2, hasMore: false }],
      [{ values: few }, { values: few, total: 2, hasMore: false }],
      [
        { values: few, total: 7 },
        { values: few, total: 7, hasMore: true },
      ],
      [
        { values: few, total: 7, hasMore: false },
        { values: few, total: 7, hasMore: true },
      ],
      [
        { values: few, total: 1 },
        { values: few, total: 2, hasMore: false },
      ],
      [
        { values: few, hasMore: true },
        { values: few, hasMore: true },
      ],
      [
        { values: few, total: 2, hasMore: true },
        { values: few, hasMore: true },
      ],
      [
        { values: many, hasMore: true },
        { values: many.slice(0, 100), hasMore: true },
      ],
      [
        { values: many, total: 1000 },
        { values: many.slice(0, 100), total: 1000, hasMore: true },
      ],
    ] as const) {
      const client = await open(serve(() => given));
      expect((await client.request("completion/complete", of("city", "")))["completion"]).toEqual(completion);
    }
  });

  everyRevision("rejects unknown references and arguments, and names the known ones [CMPL-04]", async (open) => {
    const family = resourceTemplate({ uri: "task://{id}", name: "t", complete: { id: ["1"] }, read: () => "" });
    const single = resource({ uri: "x:a", name: "a", read: () => "" });
    const client = await open(serverWith([], { prompts: [asking(["a"])], resources: [family, single] }));
    const unknown = (type: string, rest: JsonObject) => of("id", "", { type, ...rest });
    const BAD_REF = 'Invalid params: "ref" must be {"type":"ref/prompt","name":…} or {"type":"ref/resource","uri":…}';
    const BAD_ARGUMENT = 'Invalid params: "argument" must be an object with the strings name and value';
    for (const [params, message] of [
      [of("colour", ""), 'Unknown argument: colour; "p" has city, country, tone'],
      [of("constructor", ""), 'Unknown argument: constructor; "p" has city, country, tone'],
      [unknown("ref/prompt", { name: "q" }), "Unknown prompt: q"],
      [unknown("ref/prompt", {}), 'Invalid params: "name" must be a string'],
      [unknown("ref/resource", { uri: "x:{a}" }), "Unknown resource template: x:{a}"],
      [unknown("ref/resource", { uri: "x:a" }), "Unknown resource template: x:a"],
      [unknown("ref/resource", { uri: "task://../a" }), "Unknown resource template: task://../a"],
      [unknown("ref/resource", {}), BAD_REF],
      [unknown("ref/tool", { name: "p" }), BAD_REF],
      [{ argument: { name: "city", value: "" } }, BAD_REF],
      [{ ref: PROMPT }, BAD_ARGUMENT],
      [{ ref: PROMPT, argument: { name: "city" } }, BAD_ARGUMENT],
      [{ ref: PROMPT, argument: { name: "city", value: 5 } }, BAD_ARGUMENT],
      [{ ref: PROMPT, argument: "city" }, BAD_ARGUMENT],
    ] as const) {
      await expect(client.request("completion/complete", params as JsonObject)).rejects.toMatchObject({
        code: -32602,
        message,
      });
    }
  });

  everyRevision("does not exist on a server without completions [CMPL-04]", async (open) => {
    const bare = prompt({ name: "bare", description: "d", run: () => "" });
    const family = resourceTemplate({ uri: "x:{a}", name: "x", read: () => "" });
    const client = await open(serverWith([], { prompts: [bare], resources: [family] }));
    await expect(client.request("completion/complete", of("a", ""))).rejects.toMatchObject({ code: -32601 });
  });

  everyRevision(
    "hides the error of a completer that fails, and aborts one that hangs [CMPL-05 RPC-11]",
    async (open) => {
      for (const completer of [
        () => {
          throw new Error("password=hunter2");
        },
        () => Promise.reject(new Error("password=hunter2")),
        () => [1, 2] as never,
        () => undefined as never,
      ]) {
        const entries: LogEntry[] = [];
        const client = await open(serve(completer, {}, entries));
        await expect(client.request("completion/complete", of("city", ""))).rejects.toMatchObject({
          code: -32603,
          message: "The completion failed unexpectedly: the details are in the server's log",
        });
        expect(entries).toMatchObject([{ level: "error", message: 'completion "p" failed' }]);
      }
      const client = await open(serve(() => new Promise(() => undefined), { limits: { callTimeoutMs: 20 } }));
      await expect(client.request("completion/complete", of("city", ""))).rejects.toMatchObject({
        code: -32603,
        data: { code: "TIMEOUT" },
      });
    },
  );

  everyRevision("counts towards the rate limit [CMPL-05]", async (open) => {
    const client = await open(serve(["a"], { limits: { rate: { perSecond: 0.001, burst: 2, over: "reject" } } }));
    for (let at = 0; at < 2; at += 1) await client.request("completion/complete", of("city", ""));
    await expect(client.request("completion/complete", of("city", ""))).rejects.toMatchObject({
      code: -32603,
      data: { code: "RATE_LIMITED" },
    });
  });

  everyRevision("cannot send input requests", async (open) => {
    const entries: LogEntry[] = [];
    const completer: Completer = async (_typed, _others, call) => {
      await call.elicit("sure", "Sure?", { type: "object", properties: {} });
      return [];
    };
    const client = await open(serve(completer, {}, entries));
    await expect(client.request("completion/complete", of("city", ""))).rejects.toMatchObject({ code: -32603 });
    expect(entries).toMatchObject([
      {
        error: {
          message: "completion/complete cannot send requests to the client: only tools, prompts and resources/read can",
        },
      },
    ]);
  });
});

test("a completer receives the principal, so that it can filter by permission [CMPL-05]", async () => {
  const server = serve((_typed, _others, call) => (call.principal === "ada" ? ["secret project"] : []));
  for (const [principal, values] of [
    ["ada", ["secret project"]],
    ["bob", []],
  ] as const) {
    const received: JsonObject[] = [];
    const connection = await openMemoryConnection(
      server,
      (text) => void received.push(JSON.parse(text) as JsonObject),
      principal,
    );
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    connection.send(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "completion/complete", params: { ...of("city", ""), _meta } }),
    );
    await settled();
    expect(received).toMatchObject([{ result: { completion: { values } } }]);
    connection.close();
  }
});

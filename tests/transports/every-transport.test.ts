import { createServer, type Server, ToolError, tool } from "@toolwright/engine";
import { type Change, type Progress, RequestRefused } from "@toolwright/engine/client";
import { expect } from "vitest";
import { everyTransport } from "../support/every-transport.js";

const stopped: string[] = [];

const tools = [
  tool({
    name: "echo",
    description: "Gives back the text.",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    run: ({ text }) => text,
  }),
  tool({
    name: "count",
    description: "Counts to three.",
    async run(_input, call) {
      for (const number of [1, 2, 3]) {
        call.progress(number, `number ${number}`);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      return "three";
    },
  }),
  tool({
    name: "greet",
    description: "Asks who is there.",
    async run(_input, call) {
      const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
      const answer = await call.ask("who", "Who is there?", schema);
      return answer === undefined ? "Nobody." : `Hello, ${answer.name}.`;
    },
  }),
  tool({
    name: "wait",
    description: "Waits until it is told to stop.",
    input: { type: "object", properties: { mark: { type: "string" } }, required: ["mark"] },
    run: ({ mark }, call) =>
      new Promise<string>((resolve) => {
        call.progress(1, "waiting");
        call.signal.addEventListener("abort", () => {
          stopped.push(mark);
          resolve("stopped");
        });
      }),
  }),
  tool({
    name: "fail",
    description: "Fails.",
    run: () => {
      throw new ToolError("The kettle is empty.");
    },
  }),
];

const create = (): Server =>
  createServer({
    name: "test",
    version: "1.0.0",
    dynamic: true,
    tools,
    log: () => undefined,
    limits: { drainMs: 500 },
  });

const said = ({ content }: { readonly content: readonly object[] }) => (content[0] as { text?: string }).text;

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

everyTransport("who the server is, what it has and what its tools say", create, async (join, _server, revision) => {
  const client = await join();
  expect(client.server.revision).toBe(revision);
  expect(client.server.info).toMatchObject({ name: "test", version: "1.0.0" });
  expect((await client.listTools()).map(({ name }) => name)).toEqual(["echo", "count", "greet", "wait", "fail"]);
  const texts = ["hi", "grüß Gott 🎉", "a\nb\r\nc\u2028d", "data: x\n\nevent: y", "x".repeat(200_000)];
  for (const text of texts) expect(said(await client.callTool("echo", { text }))).toBe(text);
  const many = await Promise.all(Array.from({ length: 50 }, (_, at) => client.callTool("echo", { text: `${at}` })));
  expect(many.map(said)).toEqual(Array.from({ length: 50 }, (_, at) => `${at}`));
});

everyTransport("progress comes before the answer", create, async (join) => {
  const client = await join();
  const heard: Progress[] = [];
  const result = await client.callTool("count", {}, { onProgress: (progress) => heard.push(progress) });
  expect(said(result)).toBe("three");
  expect(heard.map(({ progress }) => progress)).toEqual([1, 2, 3]);
});

everyTransport("a tool asks the client, and goes on with the answer", create, async (join, _server, revision) => {
  const client = await join({ onElicit: () => ({ action: "accept", content: { name: "Ada" } }) });
  const result = await client.callTool("greet");
  if (revision >= "2025-06-18") expect(said(result)).toBe("Hello, Ada.");
  else expect(result.isError).toBe(true);
});

everyTransport("a cancelled call stops, and the next one is served", create, async (join, _server, revision) => {
  const client = await join();
  const mark = `${revision} ${Math.random()}`;
  const abort = new AbortController();
  const waiting = client.callTool("wait", { mark }, { signal: abort.signal, onProgress: () => abort.abort() });
  await expect(waiting).rejects.toThrow();
  await until(() => stopped.includes(mark));
  expect(said(await client.callTool("echo", { text: "next" }))).toBe("next");
});

everyTransport("faults of the client and of tools are told apart", create, async (join) => {
  const client = await join();
  const failed = await client.callTool("fail");
  expect([failed.isError, said(failed)]).toEqual([true, "The kettle is empty."]);
  await expect(client.callTool("nope")).rejects.toMatchObject({ code: -32602 });
  await expect(client.request("no/such/method")).rejects.toThrow(RequestRefused);
  expect(said(await client.callTool("echo", { text: "next" }))).toBe("next");
});

everyTransport("a change is told", create, async (join, server) => {
  const client = await join();
  const heard: Change[] = [];
  const listening = await client.listen({ tools: true }, (change) => heard.push(change));
  // The end of the handshake has no answer; one to a later request says that it was heard.
  await client.listTools();
  server.addTool(tool({ name: "extra", description: "Is new.", run: () => "new" }));
  await until(() => heard.length > 0);
  expect(heard).toEqual([{ of: "tools" }]);
  expect(said(await client.callTool("extra"))).toBe("new");
  await listening.close();
});

everyTransport("two clients at once know nothing of each other", create, async (join) => {
  const [one, two] = [
    await join({ onElicit: () => ({ action: "accept", content: { name: "One" } }) }),
    await join({ onElicit: () => ({ action: "accept", content: { name: "Two" } }) }),
  ];
  const mark = `apart ${Math.random()}`;
  const waiting = two.callTool("wait", { mark });
  waiting.catch(() => undefined);
  const heard: Progress[] = [];
  const [first, second] = await Promise.all([
    one.callTool("count", {}, { onProgress: (progress) => heard.push(progress) }),
    two.callTool("greet"),
  ]);
  expect(said(first)).toBe("three");
  expect(heard).toHaveLength(3);
  expect(said(second)).not.toBe("Hello, One.");
  await one.close();
  // What ends with one client is no reason for the other's call to end.
  expect(stopped).not.toContain(mark);
  expect(said(await two.callTool("echo", { text: "still here" }))).toBe("still here");
});

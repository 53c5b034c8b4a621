import { createServer, type Server, ToolError, tool } from "@toolwright/engine";
import { type Change, type Progress, ResponseError } from "@toolwright/engine/client";
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
      const answer = await call.elicit("who", "Who is there?", schema);
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

const textOf = ({ content }: { readonly content: readonly object[] }) => (content[0] as { text?: string }).text;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

everyTransport("server info, tools and their results", create, async (join, _server, revision) => {
  const client = await join();
  expect(client.server.revision).toBe(revision);
  expect(client.server.info).toMatchObject({ name: "test", version: "1.0.0" });
  expect((await client.listTools()).map(({ name }) => name)).toEqual(["echo", "count", "greet", "wait", "fail"]);
  const texts = ["hi", "grüß Gott 🎉", "a\nb\r\nc\u2028d", "data: x\n\nevent: y", "x".repeat(200_000)];
  for (const text of texts) expect(textOf(await client.callTool("echo", { text }))).toBe(text);
  const many = await Promise.all(Array.from({ length: 50 }, (_, at) => client.callTool("echo", { text: `${at}` })));
  expect(many.map(textOf)).toEqual(Array.from({ length: 50 }, (_, at) => `${at}`));
});

everyTransport("progress comes before the response", create, async (join) => {
  const client = await join();
  const received: Progress[] = [];
  const result = await client.callTool("count", {}, { onProgress: (progress) => received.push(progress) });
  expect(textOf(result)).toBe("three");
  expect(received.map(({ progress }) => progress)).toEqual([1, 2, 3]);
});

everyTransport("a tool elicits input and continues with it", create, async (join, _server, revision) => {
  const client = await join({ onElicit: () => ({ action: "accept", content: { name: "Ada" } }) });
  const result = await client.callTool("greet");
  if (revision >= "2025-06-18") expect(textOf(result)).toBe("Hello, Ada.");
  else expect(result.isError).toBe(true);
});

everyTransport("a cancelled call stops, and the next one is processed", create, async (join, _server, revision) => {
  const client = await join();
  const mark = `${revision} ${Math.random()}`;
  const abort = new AbortController();
  const waiting = client.callTool("wait", { mark }, { signal: abort.signal, onProgress: () => abort.abort() });
  await expect(waiting).rejects.toThrow();
  await until(() => stopped.includes(mark));
  expect(textOf(await client.callTool("echo", { text: "next" }))).toBe("next");
});

everyTransport("protocol errors and tool errors differ", create, async (join) => {
  const client = await join();
  const failed = await client.callTool("fail");
  expect([failed.isError, textOf(failed)]).toEqual([true, "The kettle is empty."]);
  await expect(client.callTool("nope")).rejects.toMatchObject({ code: -32602 });
  await expect(client.request("no/such/method")).rejects.toThrow(ResponseError);
  expect(textOf(await client.callTool("echo", { text: "next" }))).toBe("next");
});

everyTransport("a change notification is sent", create, async (join, server) => {
  const client = await join();
  const received: Change[] = [];
  const listening = await client.listen({ tools: true }, (change) => received.push(change));
  // The initialized notification has no response; that of a later request shows that it was processed.
  await client.listTools();
  server.addTool(tool({ name: "extra", description: "Is new.", run: () => "new" }));
  await until(() => received.length > 0);
  expect(received).toEqual([{ kind: "tools" }]);
  expect(textOf(await client.callTool("extra"))).toBe("new");
  await listening.close();
});

everyTransport("two clients are independent", create, async (join) => {
  const [one, two] = [
    await join({ onElicit: () => ({ action: "accept", content: { name: "One" } }) }),
    await join({ onElicit: () => ({ action: "accept", content: { name: "Two" } }) }),
  ];
  const mark = `apart ${Math.random()}`;
  const waiting = two.callTool("wait", { mark });
  waiting.catch(() => undefined);
  const received: Progress[] = [];
  const [first, second] = await Promise.all([
    one.callTool("count", {}, { onProgress: (progress) => received.push(progress) }),
    two.callTool("greet"),
  ]);
  expect(textOf(first)).toBe("three");
  expect(received).toHaveLength(3);
  expect(textOf(second)).not.toBe("Hello, One.");
  await one.close();
  // Closing one client must not abort the call of the other.
  expect(stopped).not.toContain(mark);
  expect(textOf(await two.callTool("echo", { text: "still here" }))).toBe("still here");
});

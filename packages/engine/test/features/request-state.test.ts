import { type Server, tool } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const word = z.object({ word: z.string() });
const transfer = tool({
  name: "transfer",
  description: "Moves money.",
  input: { type: "object", properties: { to: { type: "string" }, options: {} }, required: ["to"] },
  async run({ to }, call) {
    const first = await call.elicit("sure", `Send to ${to}?`, word);
    const second = await call.elicit("again", "Really?", word);
    return `${first?.word} ${second?.word} to ${to}`;
  },
});
const other = tool({ ...transfer, name: "other" });

const yes = { action: "accept", content: { word: "yes" } };
const REFUSED = {
  code: -32602,
  message: "Invalid params: requestState is not one that this server made for this call",
};

async function firstRound(client: TestClient, input: object = { to: "bob" }): Promise<string> {
  const result = await client.request("tools/call", { name: "transfer", arguments: input as never });
  return result["requestState"] as string;
}

function retry(client: TestClient, requestState: unknown, more: object = {}) {
  const params = { name: "transfer", arguments: { to: "bob" }, inputResponses: { sure: yes }, requestState, ...more };
  return client.request("tools/call", params as never);
}

const twoRounds = async (first: Server, second: Server): Promise<unknown> => {
  const state = await firstRound(await connectTestClient(first));
  return retry(await connectTestClient(second), state);
};

const instance = () => connectTestClient(serverWith([transfer], { secret: "a shared secret!" }));

const tampered = (state: string): unknown[] => {
  const [body = "", signature = ""] = state.split(".");
  const payload = JSON.parse(Buffer.from(body, "base64url").toString()) as object;
  const forged = Buffer.from(JSON.stringify({ ...payload, round: 0 })).toString("base64url");
  const longer = { ...payload, expires: 9e15 };
  return [
    "",
    ".",
    "x",
    "a.b",
    body,
    `${body}.`,
    `.${signature}`,
    `${body}.${signature}.${signature}`,
    `${forged}.${signature}`,
    `${Buffer.from(JSON.stringify(longer)).toString("base64url")}.${signature}`,
    `${body}.${signature.slice(0, -2)}`,
    `${signature}.${body}`,
    state.replace(/^./, (letter) => (letter === "A" ? "B" : "A")),
  ];
};

afterEach(() => void vi.useRealTimers());

describe("requestState", () => {
  onRevisions([STATELESS], "that was modified is rejected [MRTR-06 SEC-03]", async (open) => {
    const client = await open(serverWith([transfer]));
    const state = await firstRound(client);
    for (const forged of tampered(state)) {
      await expect(retry(client, forged), String(forged)).rejects.toMatchObject(REFUSED);
    }
    for (const odd of [null, 7, {}, [state]]) {
      await expect(retry(client, odd)).rejects.toMatchObject({ code: -32602 });
    }
    expect(await retry(client, state)).toMatchObject({ resultType: "input_required" });
  });

  onRevisions([STATELESS], "that is forged is rejected even if the tool requests no input [MRTR-06]", async (open) => {
    const quiet = tool({ name: "quiet", description: "Asks nothing.", run: () => "done" });
    const client = await open(serverWith([quiet]));
    await expect(client.callTool("quiet", {}, { requestState: "forged" })).rejects.toMatchObject(REFUSED);
  });

  onRevisions([STATELESS], "of other arguments or another tool is rejected [MRTR-07]", async (open) => {
    const client = await open(serverWith([transfer, other]));
    const state = await firstRound(client);
    await expect(retry(client, state, { arguments: { to: "eve" } })).rejects.toMatchObject(REFUSED);
    await expect(retry(client, state, { arguments: { to: "bob", options: 1 } })).rejects.toMatchObject(REFUSED);
    await expect(retry(client, state, { name: "other" })).rejects.toMatchObject(REFUSED);
  });

  onRevisions([STATELESS], "distinguishes an object from an array of its members [MRTR-07]", async (open) => {
    const client = await open(serverWith([transfer]));
    const state = await firstRound(client, { to: "bob", options: { a: 1 } });
    await expect(retry(client, state, { arguments: { to: "bob", options: [["a", 1]] } })).rejects.toMatchObject(
      REFUSED,
    );
    const empty = await firstRound(client, { to: "bob", options: {} });
    await expect(retry(client, empty, { arguments: { to: "bob", options: [] } })).rejects.toMatchObject(REFUSED);
  });

  onRevisions([STATELESS], "is valid for the same arguments with another order of keys [MRTR-05]", async (open) => {
    const client = await open(serverWith([transfer]));
    const state = await firstRound(client, { to: "bob", options: { a: 1, b: [2] } });
    const result = await retry(client, state, { arguments: { options: { b: [2], a: 1 }, to: "bob" } });
    expect(result).toMatchObject({ inputRequests: { again: expect.anything() } });
  });

  onRevisions([STATELESS], "of another principal is rejected [MRTR-07 SEC-03]", async (open) => {
    const server = serverWith([transfer]);
    const ada = await open(server, { principal: "ada" });
    const eve = await open(server, { principal: "eve" });
    const nobody = await open(server);
    const state = await firstRound(ada);
    await expect(retry(eve, state)).rejects.toMatchObject(REFUSED);
    await expect(retry(nobody, state)).rejects.toMatchObject(REFUSED);
    expect(await retry(await open(server, { principal: "ada" }), state)).toMatchObject({
      inputRequests: { again: expect.anything() },
    });
    const unbound = await firstRound(nobody);
    await expect(retry(ada, unbound)).rejects.toMatchObject(REFUSED);
  });

  onRevisions([STATELESS], "expires after an hour [MRTR-07 SEC-03]", async (open) => {
    const client = await open(serverWith([transfer]));
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-08-01T10:00:00Z") });
    const state = await firstRound(client);
    vi.setSystemTime(new Date("2026-08-01T10:59:59Z"));
    expect(await retry(client, state)).toMatchObject({ resultType: "input_required" });
    vi.setSystemTime(new Date("2026-08-01T11:00:01Z"));
    await expect(retry(client, state)).rejects.toMatchObject({
      code: -32602,
      message: "Invalid params: requestState has expired; call again without it",
    });
  });
});

describe("server instances", () => {
  test.each([
    ["text", "a shared secret!", "a shared secret!"],
    ["bytes", new Uint8Array(16).fill(7), new Uint8Array(16).fill(7)],
  ])("that share a secret as %s can serve the rounds of one call [MRTR-05 MRTR-10]", async (_kind, one, two) => {
    const result = await twoRounds(serverWith([transfer], { secret: one }), serverWith([transfer], { secret: two }));
    expect(result).toMatchObject({ inputRequests: { again: expect.anything() } });
  });

  test("with different secrets, or none, reject each other's state [MRTR-06]", async () => {
    for (const [one, two] of [
      [{ secret: "a".repeat(16) }, { secret: "b".repeat(16) }],
      [{}, {}],
      [{ secret: "a".repeat(16) }, {}],
    ]) {
      await expect(twoRounds(serverWith([transfer], one), serverWith([transfer], two))).rejects.toMatchObject(REFUSED);
    }
  });

  test("can each serve a different round of a call [MRTR-05 MRTR-10]", async () => {
    const one = await firstRound(await instance());
    const two = await retry(await instance(), one);
    const three = await retry(await instance(), two["requestState"], { inputResponses: { again: yes } });
    expect(three).toMatchObject({ content: [{ text: "yes yes to bob" }], isError: false });
  });
});

onRevisions([STATELESS], "the server keeps no state for a call that is never continued [MRTR-10]", async (open) => {
  const server = serverWith([transfer], { limits: { callsInFlight: 1, callsQueued: 1 } });
  const client = await open(server);
  for (let round = 0; round < 5; round += 1) await firstRound(client);
  client.close();
  const later = await open(server);
  expect(await later.callTool("transfer", { to: "x" }, { inputResponses: { sure: yes, again: yes } })).toMatchObject({
    content: [{ text: "yes yes to x" }],
  });
});

import { type Resource, resource, resourceTemplate, ToolError } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const UPDATED = "notifications/resources/updated";

/** Watches a resource as a client of either era does; resolves when the server says that it is watched. */
const WAYS = [
  [
    "resources/subscribe",
    "2025-11-25",
    (client: TestClient, uri: string) => client.request("resources/subscribe", { uri }),
  ],
  [
    "subscriptions/listen",
    STATELESS,
    (client: TestClient, uri: string) =>
      Promise.race([
        client.request("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }),
        vi.waitUntil(() => client.received(ACKNOWLEDGED).length > 0, { timeout: 20_000 }),
      ]),
  ],
] as const;

describe.each(WAYS)("%s", (_, revision, watch) => {
  const open = async (watched: NonNullable<Resource["onSubscribe"]>) => {
    const one = resource({ uri: "x:a", name: "a", onSubscribe: watched, read: () => "a" });
    const family = resourceTemplate({ uri: "y:{id}", name: "y", onSubscribe: watched, read: () => "y" });
    const server = serverWith([], { resources: [one, family], limits: { changeIntervalMs: 1 } });
    const client = await connectTestClient(server, { revision });
    onTestFinished(async () => {
      client.close();
      await server.close();
    });
    return { server, client };
  };

  test.each(["x:a", "y:1"])("calls onSubscribe of %s, and responds when it has finished", async (uri) => {
    let done = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      done = resolve;
    });
    const watched = vi.fn(() => begun);
    const { server, client } = await open(watched);
    let isAnswered = false;
    const answered = watch(client, uri).then(() => {
      isAnswered = true;
    });
    await vi.waitFor(() => expect(watched).toHaveBeenCalledTimes(1));
    await client.request("resources/list");
    expect(isAnswered).toBe(false);
    done();
    await answered;
    server.notifyResourceUpdated(uri);
    await vi.waitFor(() => expect(client.received(UPDATED)).toMatchObject([{ params: { uri } }]));
  });

  test.each<[string, () => Promise<void>]>([
    [
      "at once",
      () => {
        throw new ToolError("It cannot be watched.");
      },
    ],
    ["later", () => Promise.reject(new ToolError("It cannot be watched."))],
  ])("is rejected if onSubscribe fails %s, and no notification is sent", async (_when, fails) => {
    const { server, client } = await open(fails);
    await expect(watch(client, "x:a")).rejects.toMatchObject({ code: -32603 });
    server.notifyResourceUpdated("x:a");
    await client.request("resources/list");
    expect(client.received(UPDATED)).toEqual([]);
  });
});

test("onSubscribe must be a function", () => {
  const wrong = { uri: "x:a", name: "a", onSubscribe: true, read: () => "a" } as unknown as Resource;
  expect(() => serverWith([], { resources: [wrong] })).toThrow("onSubscribe is not a function");
});

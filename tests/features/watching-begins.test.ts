import { type Resource, resource, resourceTemplate, ToolError } from "@toolwright/engine";
import { connect, type TestClient } from "@toolwright/engine/testing";
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
        vi.waitUntil(() => client.heard(ACKNOWLEDGED).length > 0, { timeout: 20_000 }),
      ]),
  ],
] as const;

describe.each(WAYS)("%s", (_, revision, watch) => {
  const open = async (watched: NonNullable<Resource["watched"]>) => {
    const one = resource({ uri: "x:a", name: "a", watched, read: () => "a" });
    const family = resourceTemplate({ uri: "y:{id}", name: "y", watched, read: () => "y" });
    const server = serverWith([], { resources: [one, family], limits: { changeRestMs: 1 } });
    const client = await connect(server, { revision });
    onTestFinished(async () => {
      client.close();
      await server.close();
    });
    return { server, client };
  };

  test.each(["x:a", "y:1"])("tells who offers %s, and is answered when that is done", async (uri) => {
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
    server.resourceChanged(uri);
    await vi.waitFor(() => expect(client.heard(UPDATED)).toMatchObject([{ params: { uri } }]));
  });

  test.each<[string, () => Promise<void>]>([
    [
      "at once",
      () => {
        throw new ToolError("It cannot be watched.");
      },
    ],
    ["later", () => Promise.reject(new ToolError("It cannot be watched."))],
  ])("is refused where that fails %s, and then nothing is told", async (_when, fails) => {
    const { server, client } = await open(fails);
    await expect(watch(client, "x:a")).rejects.toMatchObject({ code: -32603 });
    server.resourceChanged("x:a");
    await client.request("resources/list");
    expect(client.heard(UPDATED)).toEqual([]);
  });
});

test("what is called when somebody watches must be a function", () => {
  const wrong = { uri: "x:a", name: "a", watched: true, read: () => "a" } as unknown as Resource;
  expect(() => serverWith([], { resources: [wrong] })).toThrow("watched is not a function");
});

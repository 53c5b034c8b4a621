import { expect, test, vi } from "vitest";
import { createTask, updateTask } from "../../src/tasks/edit-tasks.js";
import { type Bench, everyDatabase } from "../kit.js";

const UPDATED = "notifications/resources/updated";

const told = ({ client }: Bench): ReadonlySet<string> =>
  new Set(client.received(UPDATED).map(({ params }) => (params as { uri: string }).uri));

const expectTold = (bench: Bench, uris: readonly string[]): Promise<void> =>
  vi.waitFor(() => expect([...told(bench)].sort()).toEqual([...uris].sort()), { timeout: 20_000 });

everyDatabase((open) => {
  test("subscribers are notified of changes by the same server", async () => {
    const bench = await open({ revision: "2025-11-25" });
    for (const uri of ["tasks://board", "tasks://ready"]) await bench.client.request("resources/subscribe", { uri });
    await bench.call("create_task", { description: "new" });
    await expectTold(bench, ["tasks://board", "tasks://ready"]);
  });

  test("two servers on one database notify of each other's changes, for changed tasks only", async () => {
    const one = await open({ revision: "2025-11-25" });
    const other = await open({ revision: "2025-11-25", database: one.database, clock: one.clock });
    const first = await one.make("first");
    const waits = await one.make("waits", { blocked_by: [first] });
    const apart = await one.make("apart");
    await other.client.readResource("tasks://ready");
    const uris = [first, waits, apart].map((id) => `task://${id}`);
    for (const uri of uris) await other.client.request("resources/subscribe", { uri });
    await one.call("update_task", { id: first, status: "completed" });
    await expectTold(other, [`task://${first}`, `task://${waits}`]);
    const { contents } = await other.client.readResource(`task://${waits}`);
    expect(JSON.parse(String((contents as { text: string }[])[0]?.text))).toMatchObject({ id: waits, ready: true });
  });

  test("a subscription before any other request is notified of changes by other processes", async () => {
    const bench = await open({ revision: "2025-11-25" });
    await bench.client.request("resources/subscribe", { uri: "tasks://board" });
    await createTask(bench.todo, { description: "by hand", actor: "ada" });
    await expectTold(bench, ["tasks://board"]);
  });

  test("stateless subscriptions are notified too, also for a single task", async () => {
    const bench = await open();
    const { id } = await createTask(bench.todo, { description: "by hand", actor: "ada" });
    const uri = `task://${id}`;
    bench.client.startRequest("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } });
    await vi.waitFor(() => expect(bench.client.received("notifications/subscriptions/acknowledged")).toHaveLength(1));
    await updateTask(bench.todo, { id, status: "in_progress", actor: "ada" });
    await expectTold(bench, [uri]);
  });

  test("changes by the command line are notified, also without a session", async () => {
    const bench = await open();
    const task = await createTask(bench.todo, { description: "by hand", actor: "ada" });
    await bench.client.readResource("tasks://board");
    const uri = `task://${task.id}`;
    bench.client.startRequest("subscriptions/listen", {
      notifications: { resourceSubscriptions: [uri, "tasks://board"] },
    });
    await vi.waitFor(() => expect(bench.client.received("notifications/subscriptions/acknowledged")).toHaveLength(1));
    await updateTask(bench.todo, { id: task.id, status: "in_progress", actor: "ada" });
    await expectTold(bench, [uri, "tasks://board"]);
  });
});

import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyDatabase, textOf } from "../kit.js";

const idsOf = (page: JsonObject): readonly unknown[] => (page["tasks"] as JsonObject[]).map(({ id }) => id);

everyDatabase((open) => {
  describe("claims", () => {
    test("a claimed task is exclusive until its lease expires", async () => {
      const { call, fail, clock, make } = await open();
      const id = await make("work");
      const claimed = await call("claim_task", { id, actor: "ada", lease_s: 60 });
      expect(claimed).toMatchObject({ status: "in_progress", claimed_by: "ada", ready: false, version: 2 });
      const refused = await fail("claim_task", { id, actor: "bob" });
      expect(refused).toMatchObject({ code: "CONFLICT", details: { claimed_by: "ada" } });
      expect((await fail("claim_task", { actor: "bob" })).text).toContain("none is ready");
      clock.pass(50);
      const longer = await call("claim_task", { id, actor: "ada", lease_s: 60 });
      expect(textOf(longer, "lease_until") > textOf(claimed, "lease_until")).toBe(true);
      clock.pass(50);
      expect((await fail("claim_task", { id, actor: "bob" })).code).toBe("CONFLICT");
      clock.pass(20);
      expect(idsOf(await call("ready_tasks"))).toEqual([id]);
      expect(await call("claim_task", { actor: "bob" })).toMatchObject({ id, claimed_by: "bob" });
    });

    test("a claim without an id returns the most urgent ready task, oldest first", async () => {
      const { call, make } = await open();
      const old = await make("old");
      const young = await make("young");
      const urgent = await make("urgent", { priority: 1, blocked_by: [old] });
      expect(idsOf(await call("ready_tasks"))).toEqual([old, young]);
      expect(await call("claim_task", { actor: "ada" })).toMatchObject({ id: old });
      await call("update_task", { id: old, status: "completed" });
      expect(idsOf(await call("ready_tasks"))).toEqual([urgent, young]);
      expect(await call("claim_task", { actor: "ada" })).toMatchObject({ id: urgent });
    });

    test("concurrent claims return different tasks", async () => {
      const { call, todo, make } = await open();
      for (const name of ["a", "b", "c", "d", "e", "f"]) await make(name);
      const { claimTask } = await import("../../src/tasks/claims.js");
      const claims = Array.from({ length: 6 }, async (_, index) =>
        index % 2 === 0
          ? textOf(await call("claim_task", { actor: `agent ${index}` }), "id")
          : (await claimTask(todo, { actor: `agent ${index}` })).id,
      );
      expect(new Set(await Promise.all(claims)).size).toBe(6);
    });

    test("only the claimant can release a task, and closed or blocked tasks cannot be claimed", async () => {
      const { call, fail, make } = await open();
      const id = await make("work");
      const waits = await make("waits", { blocked_by: [id] });
      expect((await fail("release_task", { id })).text).toContain("nobody has claimed it");
      await call("claim_task", { id, actor: "ada" });
      expect((await fail("release_task", { id, actor: "bob" })).text).toContain("ada has claimed it until");
      expect(await call("release_task", { id, actor: "ada", reason: "lunch" })).toMatchObject({
        status: "pending",
        claimed_by: null,
        lease_until: null,
        started_at: null,
      });
      expect((await fail("claim_task", { id: waits })).text).toContain("it is blocked by other tasks");
      await call("update_task", { id, status: "failed" });
      expect((await fail("claim_task", { id })).text).toContain("it is failed");
      expect(await call("get_task", { id: waits })).toMatchObject({ blocked: true });
    });

    test("changing a task that another client has claimed returns a warning", async () => {
      const { call, make } = await open();
      const id = await make("work");
      const until = textOf(await call("claim_task", { id, actor: "ada" }), "lease_until");
      const { warnings } = await call("update_task", { id, priority: 1 });
      expect(warnings).toEqual([`ada has claimed it until ${until}.`]);
    });
  });

  describe("undo", () => {
    test("reverts own changes one by one, and restores deleted tasks with their blockers and subtasks", async () => {
      const { call, fail, make } = await open();
      const parent = await make("parent");
      const child = await make("child", { parent_id: parent });
      const waits = await make("waits", { blocked_by: [child] });
      const before = await call("export_tasks");
      await call("delete_task", { id: parent, cascade: true });
      const { undone, total } = await call("undo_last_task", { reason: "a mistake" });
      expect(total).toBe(3);
      expect((undone as JsonObject[]).map(({ kind }) => kind)).toEqual(["blocker_removed", "deleted", "deleted"]);
      const withoutMoments = (page: JsonObject): string =>
        textOf(page, "text").replaceAll(/"(version|updated_at)":("[^"]*"|\d+)/g, "");
      expect(withoutMoments(await call("export_tasks"))).toBe(withoutMoments(before));
      for (const gone of [waits, child, parent]) {
        await call("undo_last_task");
        expect((await fail("get_task", { id: gone })).code).toBe("NOT_FOUND");
      }
      expect((await fail("undo_last_task")).text).toContain("there is no change by toolwright-test");
    });

    test("is rejected if others changed the same task later, and lists those changes", async () => {
      const { call, fail, todo, make } = await open();
      const { updateTask } = await import("../../src/tasks/edit-tasks.js");
      const id = await make("work");
      await call("update_task", { id, priority: 1 });
      await updateTask(todo, { id, priority: 2, actor: "bob" });
      const refused = await fail("undo_last_task");
      expect(refused.code).toBe("CONFLICT");
      expect(refused.text).toContain("updated by bob at 2031-05-06T07:08:");
      expect(await call("get_task", { id })).toMatchObject({ priority: 2, version: 3 });
      await call("undo_last_task", { by: "*" });
      await call("undo_last_task");
      expect(await call("get_task", { id })).toMatchObject({ priority: 3, version: 5 });
    });

    test("does not remove relations that others have added", async () => {
      const { call, fail, todo, make } = await open();
      const { createTask } = await import("../../src/tasks/edit-tasks.js");
      const id = await make("mine");
      await createTask(todo, { description: "part", parent_id: id, actor: "bob" });
      const refused = await fail("undo_last_task");
      expect(refused.text).toContain("created by bob");
      await call("undo_last_task", { by: "bob" });
      const other = await createTask(todo, { description: "waits", blocked_by: [id], actor: "bob" });
      expect((await fail("undo_last_task")).text).toContain(`${other.id} blocker_added by bob`);
    });

    test("is described with the blocker, as in the history", async () => {
      const { call, make } = await open();
      const [a, b] = [await make("a"), await make("b")];
      await call("add_blocker", { task_id: a, blocked_by_id: b });
      const { events } = (await call("task_history", { id: a, limit: 1 })) as { events: object[] };
      expect(events).toMatchObject([{ kind: "blocker_added", changes: { blocked_by: { was: null, is: b } } }]);
      const { undone } = (await call("undo_last_task")) as { undone: object[] };
      expect(undone).toMatchObject([{ kind: "blocker_added", changes: { blocked_by: { was: null, is: b } } }]);
      const later = (await call("task_history", { id: a, limit: 1 })) as { events: object[] };
      expect(later.events).toMatchObject([{ kind: "blocker_removed", changes: { blocked_by: { was: b, is: null } } }]);
    });

    test("does not create a cycle", async () => {
      const { call, fail, todo, make } = await open();
      const { addBlocker } = await import("../../src/tasks/blockers.js");
      const [a, b] = [await make("a"), await make("b")];
      await call("add_blocker", { task_id: a, blocked_by_id: b });
      await call("remove_blocker", { task_id: a, blocked_by_id: b });
      await addBlocker(todo, { task_id: b, blocked_by_id: a, actor: "bob" });
      expect((await fail("undo_last_task")).text).toContain(`${b} blocker_added by bob`);
    });
  });

  describe("search", () => {
    test("finds words in any form, and the last one by prefix", async () => {
      const { call, fail, make } = await open();
      const parser = await make("Mend the parsers", { context: "see grammar.txt" });
      const other = await make("Water the plants");
      await call("update_task", { id: other, status: "completed", result: "The grammar of plants" });
      const found = async (query: string, more: JsonObject = {}) =>
        idsOf(await call("search_tasks", { query, ...more }));
      expect(await found("parser")).toEqual([parser]);
      expect(await found("mending")).toEqual([parser]);
      expect(await found("gram")).toHaveLength(2);
      expect(await found("gram", { status: "completed" })).toEqual([other]);
      expect(await found("parser plants")).toEqual([]);
      expect(await call("search_tasks", { query: "gram", limit: 1 })).toMatchObject({ next_cursor: "1" });
      expect(await found("gram", { limit: 1, cursor: "1" })).toHaveLength(1);
      expect((await fail("search_tasks", { query: '%%% ""' })).text).toContain("contains no word");
    });

    test.each([
      ["漢字テスト を書く", ["テスト", "字テ", "漢字", "書", "漢字 書く"], ["試験", "漢字 試験"]],
      [
        "新しいAPI設計書 for the server",
        ["設計", "api設計", "設計 server", "servers 新しい", "the 設計", "設計 the"],
        ["設計 client", "計設"],
      ],
      ["データベースを移行する", ["ベース", "ータ", "移行"], ["デタ"]],
      ["단위테스트를 작성하기", ["테스트", "작성", "하기 단위"], ["배포"]],
      ["เขียนการทดสอบใหม่", ["ทดสอบ", "ใหม่"], ["ลบ"]],
      ["設計_書", ["計_書"], ["計書"]],
    ] as const)("finds what stands inside %s, which has no spaces", async (description, there, absent) => {
      const { call, make } = await open();
      const other = await make("nothing of it", { context: description });
      const id = await make(description);
      for (const query of there) expect(idsOf(await call("search_tasks", { query })), query).toEqual([id, other]);
      expect(await call("search_tasks", { query: there[0], limit: 1 })).toMatchObject({ next_cursor: "1" });
      expect(idsOf(await call("search_tasks", { query: there[0], status: "completed" }))).toEqual([]);
      for (const query of absent) expect(idsOf(await call("search_tasks", { query })), query).toEqual([]);
    });

    test("treats all input as words", async () => {
      const { call, make } = await open();
      const id = await make("The foo of the bar's naïve café, 東京 and übung_eins");
      for (const query of [
        '"foo" OR NEAR(',
        "foo* AND (",
        "foo:* | !",
        "café",
        "naïve",
        "foo'; DROP TABLE tasks; --",
        "übung",
      ]) {
        const result = await call("search_tasks", { query });
        expect(
          idsOf(result).filter((one) => one !== id),
          query,
        ).toEqual([]);
      }
      expect(idsOf(await call("search_tasks", { query: "naïve café" }))).toEqual([id]);
      await call("search_tasks", { query: "x".repeat(500) });
    });
  });

  describe("texts", () => {
    test.each([
      `it's "quoted" \\ and %_ and \${x} ? $1`,
      "line one\r\nline two\ttab",
      "東京 🎌 e\u0301 \u202Eabc\u202C \uFEFF",
      "x".repeat(10_000),
    ])("are kept as they are: %#", async (description) => {
      const { call } = await open();
      const task = await call("create_task", { description, context: description });
      expect(task).toMatchObject({ description, context: description });
      expect(await call("get_task", { id: textOf(task, "id") })).toEqual(task);
    });

    test("with NUL, empty, or too long are rejected", async () => {
      const { call, fail, make } = await open();
      for (const args of [
        { description: "a\u0000b" },
        { description: "  \n" },
        { description: "x".repeat(10_001) },
        { description: "fine", context: "a\u0000b" },
      ])
        expect((await fail("create_task", args)).code, JSON.stringify(args).slice(0, 50)).toMatch(
          /^INVALID_ARGUMENTS?$/,
        );
      const id = await make("half \uD83D character");
      expect(await call("get_task", { id })).toMatchObject({ description: "half \uFFFD character" });
      expect((await fail("update_task", { id, result: "\u0000" })).code).toBe("INVALID_ARGUMENT");
      await call("undo_last_task");
      expect(await call("list_tasks")).toEqual({ tasks: [], total: 0 });
    });

    test("that are long are shortened in lists, which have at most 40 KB and continue without gaps", async () => {
      const { call, make } = await open();
      const long = "東".repeat(9000);
      for (let index = 0; index < 40; index++) await make(`${index} ${long}`, { context: long });
      const seen: unknown[] = [];
      for (let cursor: string | undefined = ""; cursor !== undefined; ) {
        const page: JsonObject = await call("list_tasks", { limit: 500, ...(cursor !== "" && { cursor }) });
        expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(42_000);
        seen.push(...(page["tasks"] as JsonObject[]).map((task) => Number.parseInt(textOf(task, "description"), 10)));
        cursor = page["next_cursor"] as string | undefined;
      }
      expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => 39 - index));
    });
  });
});

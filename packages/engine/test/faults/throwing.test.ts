import { describe, expect, test } from "vitest";
import { ping, textOf } from "../stdio/child.js";
import { cleanExit, type Faulty, openStdio, WAYS } from "./fault-server.js";

const KINDS = [
  "error",
  "text",
  "nothing",
  "null",
  "number",
  "symbol",
  "bigint",
  "function",
  "bare_object",
  "untouchable",
  "circle",
  "frozen",
  "stackless",
  "odd_stack",
  "aggregate",
  "abort",
];
/** Even `instanceof` throws for these. */
const CLOSED_KINDS = ["trapped", "revoked"];

const UNEXPECTED = /^The tool failed unexpectedly\. Reference: ([0-9a-f]{8})$/;

/** Checks that the next call works, and the process exits with its client. */
async function expectWell(faulty: Faulty): Promise<void> {
  expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
  expect(await faulty.leave()).toEqual(cleanExit);
}

describe.each(WAYS)("over %s, a tool", (_way, open) => {
  test.each(["throw", "reject"])(
    "may %s anything: the client gets a reference, and the log the details",
    async (how) => {
      const faulty = await open();
      for (const kind of KINDS) {
        const answer = await faulty.call(`${how}_${kind}`);
        const [, reference] = UNEXPECTED.exec(textOf(answer)) ?? [];
        expect([kind, (answer["result"] as { isError: boolean }).isError]).toEqual([kind, true]);
        const logged = `tool "${how}_${kind}" failed (reference ${reference})`;
        await faulty.child.until(() => faulty.child.stderr.includes(logged), logged);
      }
      expect(faulty.child.stderr).toContain("Error: it broke while reading\n");
      expect(faulty.child.lines.join("\n")).not.toContain("it broke while reading");
      await expectWell(faulty);
    },
  );

  test("may throw a value that cannot be inspected: the call fails", async () => {
    const faulty = await open();
    for (const name of CLOSED_KINDS.flatMap((kind) => [`throw_${kind}`, `reject_${kind}`])) {
      const { error } = await faulty.call(name);
      expect([name, error]).toEqual([
        name,
        { code: -32603, message: "Internal error: the details are in the server's log" },
      ]);
    }
    await faulty.child.until(() => faulty.child.stderr.split("tools/call failed\n").length === 5, "all in its log");
    await expectWell(faulty);
  });

  test("may return an invalid thenable", async () => {
    const faulty = await open();
    for (const name of ["throwing_then", "trapped_then"]) expect(textOf(await faulty.call(name))).toMatch(UNEXPECTED);
    expect(textOf(await faulty.call("twice"))).toBe("the first counts");
    expect(textOf(await faulty.call("both"))).toBe("the answer counts");
    await expectWell(faulty);
  });

  test("may throw a ToolError with an invalid message and details", async () => {
    const faulty = await open();
    const failures = [];
    for (const name of ["no_text", "details_circle", "details_bigint", "details_trap"]) {
      const { result } = await faulty.call(`words_${name}`);
      const { content, structuredContent, isError } = result as Record<string, unknown>;
      failures.push([name, isError, content, structuredContent]);
    }
    const empty = [{ type: "text", text: "The shelf is empty." }];
    expect(failures).toEqual([
      ["no_text", true, [{ type: "text", text: "7" }], undefined],
      ["details_circle", true, empty, { code: "EMPTY" }],
      ["details_bigint", true, empty, { code: "EMPTY" }],
      ["details_trap", true, empty, { code: "EMPTY" }],
    ]);
    expect((await faulty.call("words_message_trap"))["error"]).toEqual({
      code: -32603,
      message: "Internal error: the details are in the server's log",
    });
    await expectWell(faulty);
  });

  test("may throw after it has returned: the error is only logged", async () => {
    const faulty = await open();
    for (const [name = "", ...logged] of [
      ["reject_after_answer", "Error: after the answer\n"],
      ["throw_after_answer", "Error: thrown after the answer\n"],
      ["emit_error", "Error: emitted to nobody\n"],
      // Node 20 reports the error of the trap, later versions the value that cannot be inspected.
      ["trap_after_answer", "Error: a trap sprang\n", "an error that cannot be shown\n"],
    ]) {
      expect(textOf(await faulty.call(name))).toBe("answered");
      await faulty.child.until(() => logged.some((text) => faulty.child.stderr.includes(text)), logged.join(" or "));
    }
    expect(faulty.child.stderr.split("[ERROR] uncaught error in a tool or background task\n")).toHaveLength(5);
    await expectWell(faulty);
  });
});

test("each call gets exactly one response, whatever is thrown at once", async () => {
  const { child, leave } = await openStdio();
  const names = [...KINDS, ...CLOSED_KINDS].flatMap((kind) => [`throw_${kind}`, `reject_${kind}`]);
  child.send(
    ...names.map((name) => ({ jsonrpc: "2.0", id: name, method: "tools/call", params: { name } })),
    ping("last"),
  );
  expect(await leave()).toEqual(cleanExit);
  expect(child.messages.map(({ id }) => String(id)).toSorted()).toEqual(["0", "last", ...names].toSorted());
});

import { expect, test } from "vitest";
import { textOf } from "../stdio/child.js";
import { cleanExit, WAYS } from "./fault-server.js";

test.each(WAYS)("over %s, a logger and an onCall hook that throw lose no response", async (_way, open) => {
  const faulty = await open({}, "hostile-host");
  expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
  expect(textOf(await faulty.call("throw_error"))).toMatch(/^The tool failed unexpectedly\. Reference: [0-9a-f]{8}$/);
  expect(textOf(await faulty.call("throw_after_answer"))).toBe("answered");
  expect(textOf(await faulty.call("echo", { text: "still well" }))).toBe("still well");
  expect(await faulty.leave()).toEqual(cleanExit);
  expect(faulty.child.stderr).toContain("[ERROR] the server's log failed\n");
  expect(faulty.child.stderr).toContain("Error: the log failed\n");
});

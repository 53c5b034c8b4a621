import fc from "fast-check";
import { expect, test } from "vitest";
import { resourceNotFound } from "../jsonrpc/errors.js";
import { ToolError } from "../protocol/outcome.js";
import { createRedaction } from "./redact.js";
import { sanitiseTexts } from "./sanitise.js";
import { faultsForClient, forClient } from "./sanitise-failure.js";

const redaction = createRedaction({ values: ["hunter22"] });
const failing = { core: { settings: { sanitise: true, redaction } }, request: { params: { uri: "file:///etc/x" } } };

const scraps = fc.constantFrom(
  "/etc/x.txt",
  "notifications/initialized",
  "C:\\x\\y",
  "\\\\a\\b",
  "file:/x/y",
  " at f (x.js:1:2)",
  "\n  at a.b(c)",

  "SELECT * FROM a",
  "select a, b from c",
  "delete from `a`",
  "PRAGMA x",
  "WITH a AS (",
  "HOME=",
  "hunter22",
  "eyJ",
  "Bearer abc12345",
  "sk-abcdefghijklmnop1",
  "a://b:c@d",
  "'",
  "(",
  " ",
  "select",
  "word",
  ":",
  "1",
  "…",
  ".",
);

test("what is told to be plain in a moment is what the patterns leave alone", async () => {
  const words = fc.array(scraps, { maxLength: 6 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(words, async (text) => {
      const [expected] = sanitiseTexts([text], failing.request.params, redaction);
      expect((await forClient(failing, new ToolError(text))).message).toBe(expected);
      expect(await faultsForClient(failing, [text], () => undefined)).toEqual([expected]);
    }),
    { numRuns: 2000 },
  );
});

test("a failure in which nothing has to change is left as it is, with its class", async () => {
  const missing = resourceNotFound("file:///etc/x");
  expect(await forClient(failing, missing)).toBe(missing);
  const plain = new ToolError("No such city.", { code: "NO_CITY", details: { near: ["Rome"] } });
  expect(forClient(failing, plain)).toBe(plain);
});

test("another has the old one as its cause, and its code", async () => {
  const failure = new ToolError("see /etc/y", { code: "E", details: { at: "/etc/z", n: 1 } });
  const told = await forClient(failing, failure);
  expect(told).toMatchObject({ message: "see …/y", code: "E", details: { at: "…/z", n: 1 }, cause: failure });
});

test("details that JSON cannot write are left to whoever writes the answer", async () => {
  const details: Record<string, unknown> = {};
  details["self"] = details;
  const told = await forClient(failing, new ToolError("see /etc/y", { details: details as never }));
  expect(told).toMatchObject({ message: "see …/y" });
  expect((told as ToolError).details).toBe(details);
});

test("paths that the author names stay, with all that lies below them, and no others", async () => {
  const error = new ToolError("Use a path inside /home/ada/app or /srv/b. Not /home/ada/app2/x, not /etc/shadow.", {
    details: { allowed: ["/home/ada/app", "/srv/b"], near: "/home/ada/app/src/a.ts", far: "/etc/shadow" },
    paths: ["/home/ada/app", "/srv/b"],
  });
  expect(await forClient(failing, error)).toMatchObject({
    message: "Use a path inside /home/ada/app or /srv/b. Not …/x, not …/shadow.",
    details: { allowed: ["/home/ada/app", "/srv/b"], near: "/home/ada/app/src/a.ts", far: "…/shadow" },
  });
});

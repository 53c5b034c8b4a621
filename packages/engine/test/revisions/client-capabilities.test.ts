import { describe, expect, test } from "vitest";
import type { InputRequest } from "../../src/protocol/outcome.js";
import { hasCapabilities, omitSubcapabilities, requiredCapabilities } from "../../src/revisions/revision.js";

const sampling = (params: object): InputRequest => ({
  method: "sampling/createMessage",
  params: { messages: [], maxTokens: 1, ...params },
});

describe("an input request needs", () => {
  test.each([
    [{ method: "elicitation/create", params: { message: "?", requestedSchema: {} } }, { elicitation: {} }],
    [{ method: "elicitation/create", params: { mode: "url", message: "?", url: "u" } }, { elicitation: { url: {} } }],
    [sampling({}), { sampling: {} }],
    [sampling({ includeContext: "none" }), { sampling: {} }],
    [sampling({ tools: [] }), { sampling: { tools: {} } }],
    [sampling({ includeContext: "allServers" }), { sampling: { context: {} } }],
    [sampling({ tools: [], includeContext: "thisServer" }), { sampling: { tools: {}, context: {} } }],
    [{ method: "roots/list", params: {} }, { roots: {} }],
  ] as [InputRequest, object][])("%j", (question, needs) => {
    expect(requiredCapabilities(question)).toEqual(needs);
  });

  test("no parts in revisions that have none", () => {
    expect(omitSubcapabilities({ sampling: { tools: {} }, roots: {} })).toEqual({ sampling: {}, roots: {} });
  });
});

test.each([
  [{}, { roots: {} }, false],
  [{ roots: { listChanged: true } }, { roots: {} }, true],
  [{ roots: true }, { roots: {} }, false],
  [{ elicitation: {} }, { elicitation: {} }, true],
  [{ elicitation: { form: {} } }, { elicitation: {} }, true],
  [{ elicitation: { form: {}, url: {} } }, { elicitation: {} }, true],
  [{ elicitation: { url: {} } }, { elicitation: {} }, false],
  [{ elicitation: { later: {} } }, { elicitation: {} }, true],
  [{ elicitation: {} }, { elicitation: { url: {} } }, false],
  [{ elicitation: { url: {} } }, { elicitation: { url: {} } }, true],
  [{ sampling: { tools: {} } }, { sampling: { tools: {}, context: {} } }, false],
  [{ sampling: { tools: {}, context: {} } }, { sampling: { tools: {}, context: {} } }, true],
])("%j includes %j: %s", (declared, needs, covered) => {
  expect(hasCapabilities(declared, needs)).toBe(covered);
});

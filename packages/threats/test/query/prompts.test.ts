import { describe, expect, test } from "vitest";
import { openBench } from "../kit.js";

async function promptText(name: string, args: Record<string, string>): Promise<string> {
  const { client } = await openBench();
  const { messages } = (await client.request("prompts/get", { name, arguments: args })) as unknown as {
    messages: { content: { text: string } }[];
  };
  return messages.map(({ content }) => content.text).join("\n");
}

describe("the prompt threat-model-feature", () => {
  test("contains the patterns for the feature and the next steps", async () => {
    const text = await promptText("threat-model-feature", {
      feature: "a webhook that marks orders paid",
      language: "python",
    });
    expect(text).toMatch(
      /^Create a threat model of this feature before any code is written \(python\): a webhook that marks orders paid\n/,
    );
    expect(text).toContain("\n- TMKB-ASYNC-001 (");
    expect(text).toContain("call tmkb_query");
  });

  test("reports that no pattern matches", async () => {
    const text = await promptText("threat-model-feature", { feature: "load balancer" });
    expect(text).toContain("No pattern matches so far; the resource threats://index lists all.");
  });
});

describe("the prompt review-for-authorization", () => {
  test("contains the most severe authorization patterns by default", async () => {
    const text = await promptText("review-for-authorization", {});
    expect(text).toMatch(/^Review the current change for authorization and nothing else\.\n/);
    const ids = [...text.matchAll(/^- (TMKB-[A-Z]+)-\d+ \((\w+)\)/gm)].map(
      ([, family, severity]) => `${family} ${severity}`,
    );
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids.filter((id) => !/^TMKB-(?:AUTHZ|TENANT) critical$/.test(id)))).toEqual(new Set());
  });

  test("contains the patterns that match the code", async () => {
    const text = await promptText("review-for-authorization", {
      context: "a background job exports the records of the user who asked for it",
      path: "app/jobs/export.py",
    });
    expect(text).toMatch(
      /^Review app\/jobs\/export\.py for authorization and nothing else\. Context: a background job/,
    );
    expect(text).toContain("\n- TMKB-AUTHZ-001 (");
  });
});

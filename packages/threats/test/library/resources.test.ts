import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { toMarkdown } from "../../src/pattern-markdown.js";
import { openBench } from "../kit.js";

interface Page {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

async function read(client: Awaited<ReturnType<typeof openBench>>["client"], uri: string): Promise<readonly Page[]> {
  return (await client.request("resources/read", { uri }))["contents"] as unknown as readonly Page[];
}

describe("threat:// resources", () => {
  test("are Markdown pages with vulnerable and secure code", async () => {
    const { client } = await openBench();
    const [page] = await read(client, "threat://tmkb-authz-001");
    expect(page).toMatchObject({ uri: "threat://TMKB-AUTHZ-001", mimeType: "text/markdown" });
    const text = page?.text ?? "";
    expect(text).toMatch(/^# TMKB-AUTHZ-001: /);
    for (const part of [
      "## In short",
      "## How it is exploited",
      "## Mitigation ",
      "Vulnerable:",
      "Secure:",
      "```python",
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/undefined|\[object/);
  });

  test("separate the action of an attack step from its detail", async () => {
    const { client } = await openBench();
    const [page] = await read(client, "threat://TMKB-ASYNC-004");
    expect(page?.text).toContain("1. Reach the broker: Find the Redis");
  });

  test("are listed with their names, and support completion", async () => {
    const { client } = await openBench();
    const { resources } = await client.request("resources/list");
    const uris = (resources as JsonObject[]).map(({ uri }) => uri);
    expect(uris).toContain("threat://TMKB-AGENT-001");
    expect(uris).toContain("threats://index");
    const { completion } = await client.request("completion/complete", {
      ref: { type: "ref/resource", uri: "threat://{id}" },
      argument: { name: "id", value: "tmkb-tenant" },
    });
    expect((completion as JsonObject)["values"]).toEqual([
      "TMKB-TENANT-001",
      "TMKB-TENANT-002",
      "TMKB-TENANT-003",
      "TMKB-TENANT-004",
      "TMKB-TENANT-005",
    ]);
  });

  test("that do not exist return a protocol error", async () => {
    const { client } = await openBench();
    const asked = client.request("resources/read", { uri: "threat://TMKB-NOTHING-001" });
    await expect(asked).rejects.toMatchObject({ code: -32002 });
  });

  test("the index contains one line for each pattern", async () => {
    const { client } = await openBench();
    const [json, markdown] = await read(client, "threats://index");
    const { patterns } = JSON.parse(json?.text ?? "") as { patterns: JsonObject[] };
    const text = markdown?.text ?? "";
    expect(text).toContain(`# Threat patterns (${patterns.length})`);
    expect(text.match(/^- \[TMKB-/gm)).toHaveLength(patterns.length);
    expect(text).toMatch(/^- \[TMKB-AUTHZ-001\]\(threat:\/\/TMKB-AUTHZ-001\) \[critical\/A\] |\[high\/A\] /m);
  });
});

test("the page of a minimal pattern has no empty parts, and its fences are longer than those in the code", () => {
  expect(
    toMarkdown({
      id: "TMKB-AUTHZ-900",
      name: "Drafts",
      tier: "B",
      category: "authz",
      severity: "low",
      description: "Drafts are shown.",
      agent_summary: { threat: "T.", check: "C?", fix: "F." },
      mitigations: [
        {
          id: "MIT-1",
          description: "Filter.",
          code_examples: [{ language: "terraform", secure_code: "a = 1 # ```\n" }],
        },
      ],
      provenance: { public_references: [{ cwe: "CWE-862" }, { asvs: "v5.0.0-8.2.1", name: "Some" }] },
    }),
  ).toBe(`# TMKB-AUTHZ-900: Drafts

Severity **low** · tier B · family authz

Drafts are shown.

## In short

- **Threat**: T.
- **Check**: C?
- **Fix**: F.

## Mitigation MIT-1

Filter.

### terraform

Secure:

\`\`\`\`hcl
a = 1 # \`\`\`
\`\`\`\`

## References

- CWE-862
- ASVS v5.0.0-8.2.1: Some
`);
});

import { getEncoding } from "js-tiktoken";
import { expect, test } from "vitest";
import { createMemoryServer } from "../../src/cli/memory-server.js";
import { loadServeConfig } from "../../src/cli/serve-config.js";
import { loadKnownTools } from "../../src/cli/tool-lists/known-tools.js";
import { folder } from "../cli/listening.js";
import { listed, namesOf } from "./kit.js";

/** The tools of the source documents. */
const DOCUMENTED = [
  "generate_template list_templates validate_template scaffold_project search_templates",
  "analyze_complexity analyze_code_churn",
  "create_task list_tasks get_task update_task delete_task add_blocker remove_blocker get_blockers",
  "kb_hybrid_search kb_get_document kb_resolve_citations kb_stats kb_list_collections kb_answer kb_compose_flow",
  "fs_read_file fs_write_file fs_list_directory fs_delete_file fs_create_directory fs_file_exists fs_directory_exists",
  "git_status git_log git_diff git_list_branches git_current_branch git_add git_commit",
  "ci_build ci_test ci_restore ci_run_command ci_diagnostics",
  "debug_print_env debug_get_server_info debug_get_http_headers debug_get_user_claims debug_get_all",
  "tmkb_query",
].flatMap((names) => names.split(" "));

const encoding = getEncoding("cl100k_base");

/** What a model is given of a list, counted by somebody else's counter. */
const tokensOf = (tools: Awaited<ReturnType<typeof listed>>): number =>
  tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + encoding.encode(JSON.stringify({ name, description, inputSchema })).length,
    0,
  );

test("every tool that the documents name can be called", async () => {
  const place = folder();
  const config = await loadServeConfig(["--all-tools"], { env: {}, folder: place });
  const server = await createMemoryServer(config, place, "1");
  await server.start();
  const names = new Set(server.tools.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  await server.close();
  expect(DOCUMENTED).toHaveLength(47);
  expect(DOCUMENTED.filter((name) => !names.has(name))).toEqual([]);
});

const HINTS = ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"];

/** The paths of all properties of a schema, at any depth, that have no description of at least two words. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "properties"
      ? Object.entries(value as Record<string, { description?: string }>).flatMap(([name, property]) => [
          ...(/\S+ \S+/.test(property.description ?? "") ? [] : [`${path}.${name}`]),
          ...undescribed(property, `${path}.${name}`),
        ])
      : undescribed(value, path),
  );
}

test("every tool gives all four hints, and describes every property, also nested ones", async () => {
  const tools = await listed("--all-tools");
  const hints = tools.map(({ name, annotations = {} }) => [
    name,
    Object.keys(annotations).filter((hint) => typeof (annotations as Record<string, unknown>)[hint] === "boolean"),
  ]);
  expect(hints.map(([name, given]) => [name, [...(given as string[])].sort()])).toEqual(
    tools.map(({ name }) => [name, HINTS]),
  );
  expect(tools.flatMap(({ name, inputSchema }) => undescribed(inputSchema, name))).toEqual([]);
});

test("the default list costs a model at most 5,500 tokens", async () => {
  expect(tokensOf(await listed(""))).toBeLessThanOrEqual(5500);
});

test("what the default list leaves out is listed with --all-tools, and nothing else is added by that", async () => {
  const usual = namesOf(await listed(""));
  const all = namesOf(await listed("--all-tools"));
  expect(all.filter((name) => !usual.includes(name)).toSorted()).toEqual((await loadKnownTools()).optional.toSorted());
  expect(usual.filter((name) => !all.includes(name))).toEqual([]);
});

test("the progressive list costs a model at most 500 tokens", async () => {
  const tools = await listed("--progressive");
  expect(namesOf(tools)).toEqual(expect.arrayContaining(["search_tools", "describe_tools", "call_tool"]));
  expect(namesOf(tools)).not.toContain("fs_read_file");
  expect(tokensOf(tools)).toBeLessThanOrEqual(500);
});

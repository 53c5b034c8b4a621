import { connect } from "@toolwright/engine/client";
import { describe, expect, test } from "vitest";
import { folder, main, serve, stop, urlOf } from "../cli/listening.js";
import { Configured } from "../config/configured.js";
import { listed, listOf, namesOf, run } from "./kit.js";

const HINT = 'Run "toolwright serve --help" for usage.';
const FILES =
  "fs_read_file fs_list_directory fs_tree fs_find fs_search fs_info fs_edit_file fs_write_file fs_move fs_delete_file fs_create_directory";
const GIT = "git_status git_log git_diff git_show git_blame git_list_branches git_branch_create git_add git_commit";

describe("over stdio", () => {
  test.each([
    ["--toolsets files,git", `${FILES} ${GIT} read_result`],
    ["--toolsets git --toolsets basics", `echo current_time ${GIT} read_result`],
    ["--toolsets git --read-only", `${GIT.split(" ").slice(0, 6).join(" ")} read_result`],
    ["--toolsets basics --tools kb_export", "echo current_time kb_export read_result"],
    [
      "--toolsets todo --without-tools task_tree,read_result --read-only",
      "list_tasks get_task task_history export_tasks",
    ],
    ["--tools echo", "echo read_result"],
  ])("%s lists what it says", async (words, names) => {
    expect(namesOf(await listed(words)).join(" ")).toBe(names);
  });

  test("default and one tool more lists what is listed anyway, and that one", async () => {
    const usual = namesOf(await listed(""));
    const more = namesOf(await listed("--toolsets default --tools kb_export"));
    expect(more.filter((name) => !usual.includes(name))).toEqual(["kb_export"]);
    expect(more).toHaveLength(usual.length + 1);
  });

  test("a variable chooses, and an option that asks for all is stronger", async () => {
    const env = { TOOLWRIGHT_TOOLS_TOOLSETS: "basics, git", TOOLWRIGHT_TOOLS_WITHOUT: '["echo"]' };
    expect(namesOf(await listed("", env)).join(" ")).toBe(`current_time ${GIT} read_result`);
    const all = namesOf(await listed("--all-tools", env));
    expect(all).toEqual(expect.arrayContaining(["kb_export", "fs_read_file"]));
    expect(all).not.toContain("echo");
  });

  test("the names of a pack that is off do no harm", async () => {
    const names = namesOf(
      await listed("--set packs.knowledge=false --toolsets basics,documents --without-tools kb_ingest"),
    );
    expect(names).toEqual(["echo", "current_time", "read_result"]);
  });

  test("a tool that is left out cannot be called, and the refusal says what switches it on", async () => {
    const place = folder();
    const env = { ...process.env, XDG_STATE_HOME: place };
    const client = await connect({ command: process.execPath, args: [main, "serve"], cwd: place, env });
    const refusal = await client.callTool("export_tasks", {}).catch((error: Error) => error.message);
    await client.close();
    expect(refusal).toMatch(
      /Unknown tool: export_tasks is switched off on this server; .*--toolsets default --tools NAME.*--all-tools$/,
    );
  });
});

describe("over HTTP", () => {
  test("a header narrows what the options leave, and cannot widen it", async () => {
    const child = serve(`--http 127.0.0.1:0 --toolsets files,git --state ${folder()}`);
    const url = await urlOf("http", child);
    const names = async (headers: Record<string, string>): Promise<string> =>
      namesOf(await listOf({ url }, { headers })).join(" ");
    expect(await names({})).toBe(`${FILES} ${GIT} read_result`);
    expect(await names({ "x-mcp-toolsets": "git", "x-mcp-readonly": "true" })).toBe(
      `${GIT.split(" ").slice(0, 6).join(" ")} read_result`,
    );
    expect(await names({ "x-mcp-tools": "git_log" })).toBe("git_log read_result");
    expect(await names({ "x-mcp-toolsets": "git", "x-mcp-exclude-tools": "git_commit" })).toBe(
      `${GIT.replace(" git_commit", "")} read_result`,
    );
    await expect(names({ "x-mcp-tools": "echo" }).then((all) => all.includes("echo"))).resolves.toBe(false);
    await stop(child);
  });
});

describe("a start is refused with code 2", () => {
  test.each([
    ["--toolsets fils", '--toolsets: "fils" is unknown; did you mean files?'],
    ["--tools fs_raed_file", '--tools: "fs_raed_file" is unknown; did you mean fs_read_file?'],
    ["--without-tools fs_delete_fil", '--without-tools: "fs_delete_fil" is unknown; did you mean fs_delete_file?'],
    ["--tools git", '--tools: "git" belongs into --toolsets.'],
    ["--toolsets echo", '--toolsets: "echo" belongs into --tools.'],
    ["--all-tools --toolsets git", "--all-tools and --toolsets exclude each other."],
    ["--tools qqqqqqqqqqqqqq", '--tools: "qqqqqqqqqqqqqq" is unknown; "toolwright tools --all-tools" lists all tools.'],
  ])("by %s", (words, fault) => {
    expect(run(`serve ${words}`)).toMatchObject({ status: 2, stderr: expect.stringContaining(`${fault} ${HINT}\n`) });
  });

  test("by a file, and the check of it says the same", () => {
    const file = new Configured('{\n  "tools": {\n    "names": ["fs_raed_file"]\n  }\n}');
    const fault = 'tools.names in toolwright.config.json:3: "fs_raed_file" is unknown; did you mean fs_read_file?';
    expect(file.run("serve --http 127.0.0.1:0")).toMatchObject({ status: 2, stderr: `toolwright: ${fault} ${HINT}\n` });
    expect(file.run("config check").stderr).toContain(fault);
  });
});

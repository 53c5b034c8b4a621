import { describe, expect, test } from "vitest";
import { BASICS_ONLY } from "../cli/listening.js";
import { EVERYTHING, OURS, serveEverything, THEIRS, User } from "./shell.js";

const json = (text: string) => JSON.parse(text) as Record<string, { name: string; [member: string]: unknown }[]>;

describe("toolwright list SERVER", () => {
  test("says who the server is, and has a table for each list", async () => {
    const { code, stdout, stderr } = await new User().run(["list", "--", ...EVERYTHING]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "Everything (everything) 1.0.0, revision 2026-07-28",
      "A server for trying out clients: each tool, prompt and resource shows one thing that servers can do.",
      "",
      "Tools (38)",
    ]);
    expect(lines.slice(lines.indexOf("Templates (1)"))).toEqual([
      "Templates (1)",
      "  uri                        type              description",
      "  test://template/{id}/data  application/json  One record for each id.",
      "",
      "Prompts (5)",
      "  name                                arguments     description",
      "  test_simple_prompt                                One message, and nothing to fill in.",
      "  test_prompt_with_arguments          arg1*, arg2*  One message with two arguments in it.",
      "  test_prompt_with_embedded_resource  resourceUri*  A resource, and what to do with it.",
      "  test_prompt_with_image                            A picture, and what to do with it.",
      "  test_input_required_result_prompt                 Asks for what it needs before it gives its message.",
      "",
    ]);
  });

  test("gives one list alone, over HTTP and HTTP+SSE", async () => {
    const { http, sse } = await serveEverything();
    for (const target of [[http], ["--sse", sse]]) {
      const { code, stdout } = await new User().run(["list", ...target, "resources"]);
      expect(code).toBe(0);
      expect(stdout.split("\n").slice(0, 4)).toEqual([
        "Resources (4)",
        "  uri                         type                       description",
        "  test://static-text          text/plain                 A text that never changes.",
        "  test://static-binary        image/png                  A picture that never changes.",
      ]);
    }
  });

  test("with --json gives what the server gave", async () => {
    const { stdout } = await new User().run(["list", "--json", "--revision", "2025-06-18", "--", ...THEIRS]);
    const { server, ...lists } = json(stdout);
    expect(server).toMatchObject({ name: "mcp-servers/everything", revision: "2025-06-18" });
    expect(Object.keys(lists)).toEqual(["tools", "resources", "templates", "prompts"]);
    expect(lists["tools"]?.map(({ name }) => name)).toContain("get-sum");
  });

  test("of a server without prompts says that there are none", async () => {
    const output = await new User().run(["list", "prompts", "--", ...OURS], BASICS_ONLY);
    expect(output).toEqual({ code: 0, stdout: "Prompts (0)\n", stderr: "" });
  });

  test("refuses a list that does not exist", async () => {
    const { code, stderr } = await new User().run(["list", "http://127.0.0.1:9/mcp", "tool"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'toolwright: LIST must be tools, resources, templates or prompts, not "tool"; did you mean tools? Run "toolwright list --help" for usage.\n',
    });
  });

  test("ends with code 3 where there is no server", async () => {
    expect(await new User().run(["list", "--socket", "nothing-here"])).toMatchObject({ code: 3, stdout: "" });
  });
});

describe("the name of a thing that is left out", () => {
  test.each([
    ["call", "Tools (38)"],
    ["read", "Resources (4)"],
    ["prompt", "Prompts (5)"],
  ])("has %s list what there is", async (command, heading) => {
    const { code, stdout } = await new User().run([command, "--", ...EVERYTHING]);
    expect({ code, first: stdout.split("\n")[0] }).toEqual({ code: 0, first: heading });
  });
});

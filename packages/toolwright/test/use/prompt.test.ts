import { describe, expect, test } from "vitest";
import { EVERYTHING, serveEverything, THEIRS, User } from "./shell.js";

describe("toolwright prompt", () => {
  test("prints the messages, over stdio, HTTP and HTTP+SSE", async () => {
    const { http, sse } = await serveEverything();
    const name = "test_prompt_with_arguments";
    for (const words of [
      [name, "arg1=a b", "arg2=5", "--", ...EVERYTHING],
      [http, name, "arg1=a b", "arg2=5"],
      ["--sse", sse, name, "arg1=a b", "arg2=5"],
    ])
      expect(await new User().run(["prompt", ...words])).toEqual({
        code: 0,
        stdout: "[user]\nPrompt with arguments: arg1='a b', arg2='5'\n",
        stderr: "",
      });
  });

  test("notes what is no text, and with --json leaves out nothing", async () => {
    const user = new User();
    const { stdout } = await user.run(["prompt", "test_prompt_with_image", "--", ...EVERYTHING]);
    expect(stdout).toBe("[user]\n[image, image/png, 70 bytes]\n\n[user]\nPlease analyze the image above.\n");
    const whole = await user.run(["prompt", "--json", "test_prompt_with_image", "--", ...EVERYTHING]);
    expect(JSON.parse(whole.stdout)).toMatchObject({
      messages: [{ role: "user", content: { type: "image", mimeType: "image/png" } }, { role: "user" }],
    });
  });

  test("corrects a name and an argument where only one is near", async () => {
    const words = ["prompt", "test_prompt_with_argments", "arg1=a", "arg-2=b", "--", ...EVERYTHING];
    expect(await new User().run(words)).toEqual({
      code: 0,
      stdout: "[user]\nPrompt with arguments: arg1='a', arg2='b'\n",
      stderr: [
        'There is no prompt "test_prompt_with_argments"; using "test_prompt_with_arguments"',
        '"test_prompt_with_arguments" has no argument "arg-2"; using arg2',
        "",
      ].join("\n"),
    });
  });

  test("names everything that is missing at once", async () => {
    const { code, stderr } = await new User().run(["prompt", "test_prompt_with_arguments", "--", ...EVERYTHING]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'toolwright: "test_prompt_with_arguments" needs arg1 (string), arg2 (string). Add --help after its name to see all its arguments\n',
    });
  });

  test("says which there are where none is near", async () => {
    const { code, stderr } = await new User().run(["prompt", "zzz", "--", ...THEIRS]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/toolwright: There is no prompt "zzz"; the server has simple-prompt, args-prompt, /);
  });
});

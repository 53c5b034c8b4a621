import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../cli/listening.js";
import { EVERYTHING, serveEverything, THEIRS, User } from "./shell.js";

const PNG = "89504e470d0a1a0a";

describe("toolwright read", () => {
  test("writes text as it is, over stdio, HTTP and HTTP+SSE", async () => {
    const { http, sse } = await serveEverything();
    for (const words of [
      ["test://static-text", "--", ...EVERYTHING],
      [http, "test://static-text"],
      ["--sse", sse, "test://static-text"],
    ])
      expect(await new User().run(["read", ...words])).toEqual({
        code: 0,
        stdout: "This is the content of the static text resource.",
        stderr: "",
      });
  });

  test("writes bytes to a file, and to what is no terminal", async () => {
    const user = new User();
    const output = await user.run(["read", "test://static-binary", "--output", "a.png", "--", ...EVERYTHING]);
    expect(output).toEqual({ code: 0, stdout: "", stderr: "Written: a.png\n" });
    const bytes = readFileSync(path.join(user.project, "a.png"));
    expect(bytes.subarray(0, 8).toString("hex")).toBe(PNG);
    const line = [
      "-c",
      '"$@" > b.png',
      "sh",
      process.execPath,
      main,
      "read",
      "test://static-binary",
      "--",
      ...EVERYTHING,
    ];
    expect(await user.start("sh", line).ended).toEqual({ code: 0, signal: null });
    expect(readFileSync(path.join(user.project, "b.png")).equals(bytes)).toBe(true);
  });

  test("with --json gives the parts, with bytes in base64", async () => {
    const { stdout } = await new User().run(["read", "--json", "test://static-binary", "--", ...EVERYTHING]);
    expect(JSON.parse(stdout)).toMatchObject({
      contents: [
        { uri: "test://static-binary", mimeType: "image/png", blob: expect.stringMatching(/^iVBORw0KGgo/) as string },
      ],
    });
  });

  test("reads a resource template of another server", async () => {
    const { code, stdout } = await new User().run(["read", "demo://resource/dynamic/text/7", "--", ...THEIRS]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("Resource 7") as string });
  });

  test.each([
    ["test://static-tex", "test://static-text"],
    ["test://template/7/dta", "test://template/{id}/data"],
  ])("%s is refused with what is near", async (uri, near) => {
    const { code, stdout, stderr } = await new User().run(["read", uri, "--", ...EVERYTHING]);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: `[WARNING] [req_id=2] resources/read rejected: Resource not found: ${uri}\ntoolwright: The server refused to read ${uri}: Resource not found: ${uri}; did you mean ${near}?\n`,
    });
  });

  test("does not begin where it could not write", async () => {
    const { code, stderr } = await new User().run(["read", "x://y", "--output", "no/where", "--", "not-a-program"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'toolwright: Cannot write "no/where": its folder does not exist\n',
    });
  });
});

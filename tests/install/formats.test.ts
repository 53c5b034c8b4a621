import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../packages/toolwright/src/clients/all-clients.js";
import { putServer, removeServer } from "../../packages/toolwright/src/clients/edit-config.js";
import { openFormat } from "../../packages/toolwright/src/clients/formats/open-format.js";

const OWN = { command: "NODE-PATH", args: ["SCRIPT-PATH", "serve"] };
const AT = { home: "/home/ada", folder: "/home/ada/app", platform: "linux", env: {} } as const;

const read = (name: string): string => readFileSync(new URL(`files/${name}.txt`, import.meta.url), "utf8");

/** The ways in which one text can lie in a file. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  "lines that end with LF": (text) => text,
  "lines that end with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  "no newline at the end": (text) => text.replace(/\n$/, ""),
};

/** What is left where the server was the first one, and nothing but the text is known. */
const LEFT: Readonly<Record<string, string>> = {
  "claude-code": read("claude-code.before").replace("  }\n}\n", '  },\n  "mcpServers": {}\n}\n'),
};

describe.each(CLIENTS.map((client) => [client.id, client] as const))("the file of %s", (id, client) => {
  const keys = client.places(AT).find(({ scope, use }) => scope === "user" && use === undefined)?.keys ?? [];
  const spot = { keys, name: "toolwright" };

  test.each(Object.entries(FORMS))("gets the server and loses it again, %s", async (_, form) => {
    const format = await openFormat(client.format);
    const entry = client.write("toolwright", OWN) ?? {};
    const [before, after] = [form(read(`${id}.before`)), form(read(`${id}.after`))];
    expect(putServer(format, before, spot, entry)).toBe(after);
    expect(putServer(format, after, spot, entry)).toBe(after);
    expect(removeServer(format, before, spot)).toBe(before);
    expect(removeServer(format, after, spot)).toBe(form(LEFT[id] ?? read(`${id}.before`)));
  });
});

test.each([
  ["", '{\n  "servers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'],
  ["// mine\n", '// mine\n{\n  "servers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'],
  ["/* mine */", '/* mine */\n{\n  "servers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'],
])("a JSON file that is empty but for %j gets an object", async (before, after) => {
  const format = await openFormat("json");
  expect(putServer(format, before, { keys: ["servers"], name: "a" }, { command: "x" })).toBe(after);
});

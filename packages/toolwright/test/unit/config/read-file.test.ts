import { expect, test } from "vitest";
import { readConfigText } from "../../../src/config/read-file.js";
import { createTable } from "../../../src/config/settings.js";

const read = (text: string) =>
  readConfigText(text, { from: "file", name: "c.json" }, "/etc/toolwright", createTable(["basics"]));

test("settings are read with their lines, and paths from the folder of the file", () => {
  const { values, faults } = read(`{
    "$schema": "./toolwright.schema.json",
    "http": { "listen": "0.0.0.0:80", "tls": { "cert": "c.pem", "key": "/k.pem" } },
    "socket": "\\\\\\\\.\\\\pipe\\\\mcp",
    "packs": { "basics": { "a": 1 } },
    "redact": { "names": ["/^x-/i"] }
  }`);
  expect(faults).toEqual([]);
  const at = (line: number) => ({ from: "file", at: `c.json:${line}` });
  expect(values).toEqual([
    { key: "http.listen", value: "0.0.0.0:80", source: at(3) },
    { key: "http.tls.cert", value: "/etc/toolwright/c.pem", source: at(3) },
    { key: "http.tls.key", value: "/k.pem", source: at(3) },
    { key: "socket", value: String.raw`\\.\pipe\mcp`, source: at(4) },
    { key: "packs.basics", value: { a: 1 }, source: at(5) },
    { key: "redact.names", value: ["/^x-/i"], source: at(6) },
  ]);
});

test.each([
  ['{ "limits": { "callTimoutMs": 5 } }', "limits.callTimoutMs in c.json:1 is unknown; did you mean callTimeoutMs?"],
  ['{ "callTimeoutMs": 5 }', "callTimeoutMs in c.json:1 is unknown; did you mean limits.callTimeoutMs?"],
  ['{ "tls": {} }', "tls in c.json:1 is unknown; did you mean http.tls?"],
  ['{ "colour": "blue" }', "colour in c.json:1 is unknown"],
  ['{ "packs": { "basic": true } }', "packs.basic in c.json:1 is unknown; did you mean basics?"],
  [
    '{ "limits.pageSize": 5 }',
    'limits.pageSize in c.json:1 must be an object in an object: { "limits": { "pageSize": … } }',
  ],
  ['{ "http": true }', "http in c.json:1 must be an object"],
  ['{ "stdio": true, "stdio": true }', "stdio in c.json:1 is there twice"],
  ['{ "http": { "$schema": "x" } }', "http.$schema in c.json:1 is unknown"],
  ["[]", 'c.json:1 must be an object, such as { "http": { "listen": true } }'],
  ['{ "stdio": "yes" }', 'stdio in c.json:1 must be true or false, not "yes"'],
  ['{ "http": { "path": "" } }', 'http.path in c.json:1 must be a path, not ""'],
  ['{ "auth": { "scopes": "read" } }', 'auth.scopes in c.json:1 must be a list, each of it a scope, not "read"'],
  ['{ "limits": { "pageSize": 1.5 } }', "limits.pageSize in c.json:1 must be a whole number above 0, not 1.5"],
  ['{ "limits": { "drainMs": 0 } }', "limits.drainMs in c.json:1 must be a positive number, not 0"],
  ['{ "rate": { "over": "wait" } }', 'rate.over in c.json:1 must be delay or reject, not "wait"'],
  [
    '{ "packs": { "basics": 1 } }',
    "packs.basics in c.json:1 must be true, false, or an object with the settings of the pack",
  ],
  [
    '{ "http": { "listen": 70000 } }',
    "http.listen in c.json:1 cannot be at 70000; give HOST:PORT, such as 8080, 0.0.0.0:8080 or [::1]:8080",
  ],
  [
    '{ "redact": { "names": ["/(/"] } }',
    'redact.names in c.json:1 must be a list, each of it a name, or a pattern such as /^x-.*-id$/i, not ["/(/"]',
  ],
  [
    '{ "redact": { "values": ["abc"] } }',
    "redact.values in c.json:1 must be a list, each of it a text of four characters or more",
  ],
  ['{ "recorder": { "constructor": 1 } }', 'recorder in c.json:1 has "constructor", which is unknown'],
  ['{ "auth": { "apiKey": 12345 } }', "auth.apiKey in c.json:1 must be a text"],
  ['{\n "a": 1\n "b": 2 }', "c.json:3:2: a comma or } must be here, not a text"],
])("%j is refused", (text, fault) => {
  expect(read(text).faults).toEqual([fault]);
});

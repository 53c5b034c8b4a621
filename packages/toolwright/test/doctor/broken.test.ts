import { describe, expect, test } from "vitest";
import type { GroupId } from "../../src/doctor/finding.js";
import { examined, nodeServer, seen } from "./examined.js";

const SERVER = "packages/toolwright/test/doctor/servers/broken.mjs";

/** The faults of a server, the part in which they are found, and what is said of them. Each start takes time, so few have one alone. */
const FAULTS: readonly (readonly [faults: string, group: GroupId, said: readonly string[]])[] = [
  [
    "prints ignores-sigterm leaves-child",
    "start",
    [
      "fault start.clean-stdout: It writes 1 line to stdout that are not messages.",
      "warning start.ends-at-sigterm: It still runs 2 s after SIGTERM.",
      "fault start.leaves-nothing: It exited, but 1 of its child processes keep running.",
    ],
  ],
  ["ignores-eof", "start", ["fault start.ends-at-eof: It still runs 2 s after stdin was closed."]],
  [
    "dies-on-discover",
    "handshake",
    [
      "fault handshake.discover-first: It crashes on server/discover: the process exited with code 1.",
      "fault handshake.both-eras: After server/discover, initialize gets the process exited with code 1.",
    ],
  ],
  [
    "agrees-to-all promises-prompts",
    "handshake",
    [
      "fault handshake.unknown-revision: It accepts a version that does not exist.",
      "fault handshake.capabilities: It declares the capability, but prompts/list got error -32601.",
    ],
  ],
  [
    "no-object-schema no-jsonrpc id-types",
    "wire",
    [
      'fault wire.shapes: tools/list: the inputSchema of "read" is not an object schema (type "object") (2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05).',
      'fault wire.form: 12 of 25 messages: jsonrpc: "2.0" is missing.',
      'fault wire.ids: The id "toolwright-7" comes back changed.',
    ],
  ],
  [
    "answers-notifications passes-over-junk drops-batches",
    "wire",
    [
      "warning wire.notifications: It responds to notifications.",
      "warning wire.malformed-line: It silently ignores a line that is not JSON.",
      "fault wire.batches: It silently ignores a batch.",
      "warning wire.batches-removed: It silently ignores a batch.",
    ],
  ],
  [
    "dies-on-junk",
    "wire",
    ["fault wire.malformed-line: It does not survive a line that is not JSON: the process exited with code 1."],
  ],
  [
    "odd-name no-description",
    "lists",
    [
      'warning lists.names: The tool name "read a file!" has invalid characters.',
      "warning lists.descriptions: 1 of 1 tools have no description: read a file!.",
    ],
  ],
  ["endless", "lists", ["fault lists.pages: tools/list returns the same cursor again: its pages never end."]],
  ["same-name", "lists", ['fault lists.names: tools/list has "read" twice.']],
  ["changes-order", "lists", ["warning lists.order: The order of the tools changes between lists."]],
  ["dear", "lists", ["warning lists.tokens: 1 tool costs 12,029 tokens in every conversation."]],
  [
    "root-union lost-property",
    "schemas",
    [
      "fault schemas.vendors: The tool read has oneOf at the root of its input schema: Anthropic, OpenAI, Google, VS Code, Cursor may reject it.",
      'warning schemas.sound: read requires "mode", which is not in its properties.',
    ],
  ],
  [
    "odd-code any-tool protocol-errors",
    "errors",
    [
      "warning errors.unknown-method: An unknown method gets error -32000.",
      "fault errors.unknown-tool: A tool that does not exist can be called.",
      'warning errors.missing-argument: read: a call without "path" gets the protocol error -32602, which models do not see.',
      'warning errors.wrong-type: read: a wrong type for "path" gets the protocol error -32602, which models do not see.',
    ],
  ],
  [
    "checks-nothing",
    "errors",
    [
      'warning errors.missing-argument: read: a call without "path" is accepted.',
      'warning errors.wrong-type: read: a wrong type for "path" is accepted.',
      "warning errors.misspelt-argument: read: an unknown argument is silently ignored.",
    ],
  ],
  ["drops-arguments", "errors", ["warning errors.misspelt-argument: read: an unknown argument is silently ignored."]],
  [
    "dies-on-long",
    "limits",
    ["fault limits.long-line: It does not survive a line of 12 MB: the process exited with code 0."],
  ],
];

describe.concurrent("the doctor names the faults of a server and no others", () => {
  test.each(FAULTS)("%s", { timeout: 120_000 }, async (faults, group, said) => {
    const examination = await examined(nodeServer(SERVER, ...faults.split(" ")), { only: [group] });
    expect(seen(examination, "fault", "warning")).toEqual(said);
  });
});

test("a server that accepts no revision scores 0", { timeout: 120_000 }, async () => {
  const { score } = await examined(nodeServer(SERVER, "refuses-all"), { only: ["handshake"] });
  expect(score).toEqual({ points: 0, letter: "F" });
});

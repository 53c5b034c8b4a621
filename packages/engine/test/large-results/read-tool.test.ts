import { content, createServer, image, type JsonObject, tool } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { handleFrom, manyLines, read, serverReturning } from "./server.js";

/** A client and the handle of one value, truncated to 200 bytes. */
async function truncated(value: unknown): Promise<{ client: TestClient; handle: string }> {
  const client = await connectTestClient(serverReturning({ it: value }, { budgetBytes: 200 }));
  return { client, handle: await handleFrom(client, "it") };
}

describe("lines", () => {
  everyRevision("are read with their numbers, as many as the budget allows", async (open) => {
    const client = await open(serverReturning({ it: manyLines(300) }, { budgetBytes: 60 }));
    const handle = await handleFrom(client, "it");
    expect(await read(client, handle, { from_line: 124 })).toBe(
      `Lines 124 to 127 of 300:\n124: line 124\n125: line 125\n126: line 126\n127: line 127\n` +
        `Next: read_result {"handle":"${handle}","from_line":128}`,
    );
  });

  test("of a range are read up to its end", async () => {
    const { client, handle } = await truncated(manyLines(300));
    expect(await read(client, handle, { from_line: 7, to_line: 8 })).toBe(
      `Lines 7 to 8 of 300:\n7: line 7\n8: line 8\nNext: read_result {"handle":"${handle}","from_line":9}`,
    );
  });

  test("are read from the first one by default", async () => {
    const { client, handle } = await truncated(manyLines(300));
    expect(await read(client, handle)).toMatch(/^Lines 1 to 18 of 300:\n1: line 1\n/);
  });

  test("end with the last one, with or without a final newline", async () => {
    for (const value of [manyLines(300), `${manyLines(300)}\n`]) {
      const { client, handle } = await truncated(value);
      expect(await read(client, handle, { from_line: 300 })).toBe(
        "Lines 300 to 300 of 300:\n300: line 300\nEnd of the result.",
      );
    }
  });

  test("that are longer than the budget are read by bytes", async () => {
    const { client, handle } = await truncated(`short\n${"x".repeat(1000)}\nend`);
    expect(await read(client, handle, { from_line: 2 })).toBe(
      `Bytes 6 to 205 of 1010, from line 2 on:\n${"x".repeat(200)}\nNext: read_result {"handle":"${handle}","from_byte":206}`,
    );
  });

  test("are found far into a large result", async () => {
    const { client, handle } = await truncated(manyLines(400_000));
    expect(await read(client, handle, { from_line: 399_999 })).toBe(
      "Lines 399999 to 400000 of 400000:\n399999: line 399999\n400000: line 400000\nEnd of the result.",
    );
  });
});

describe("bytes", () => {
  test("are adjusted to complete characters", async () => {
    const { client, handle } = await truncated("€".repeat(500));
    expect(await read(client, handle, { from_byte: 4, bytes: 7 })).toBe(
      `Bytes 3 to 8 of 1500, from line 1 on:\n€€\nNext: read_result {"handle":"${handle}","from_byte":9}`,
    );
  });

  test("have at least one character", async () => {
    const { client, handle } = await truncated("😀".repeat(500));
    expect(await read(client, handle, { from_byte: 0, bytes: 1 })).toMatch(/^Bytes 0 to 3 of 2000, .*\n😀\n/);
  });

  test("of all parts together are the whole result", async () => {
    const whole = "aé€😀\n".repeat(300);
    const { client, handle } = await truncated(whole);
    let [at, joined]: [number | undefined, string] = [0, ""];
    while (at !== undefined) {
      const response = await read(client, handle, { from_byte: at, bytes: 97 });
      const [, text = "", last = ""] = /^[^\n]*\n(.*)\n([^\n]*)$/s.exec(response) ?? [];
      joined += text;
      const next = /"from_byte":(\d+)/.exec(last)?.[1];
      at = next === undefined ? undefined : Number(next);
    }
    expect(joined).toBe(whole);
  });
});

describe("a search", () => {
  test("shows the lines with their numbers", async () => {
    const { client, handle } = await truncated(manyLines(300));
    expect(await read(client, handle, { search: "00", from_line: 150 })).toBe(
      '2 matches for "00":\n200: line 200\n300: line 300\nEnd of the result.',
    );
  });

  test("is for literal text, in any case if asked", async () => {
    const { client, handle } = await truncated(`${manyLines(100)}\na.c (x)\nabc`);
    expect(await read(client, handle, { search: "a.c" })).toBe('1 match for "a.c":\n101: a.c (x)\nEnd of the result.');
    expect(await read(client, handle, { search: "ABC", ignore_case: true })).toBe(
      '1 match for "ABC":\n102: abc\nEnd of the result.',
    );
  });

  test("stops at the budget and says how to continue", async () => {
    const { client, handle } = await truncated(manyLines(300));
    const first = await read(client, handle, { search: "line 1" });
    expect(first).toMatch(/^16 matches for "line 1":\n1: line 1\n10: line 10\n/);
    expect(first).toMatch(
      /\n104: line 104\nNext: read_result \{"handle":"result:\S+,"search":"line 1","from_byte":828\}$/,
    );
    expect(await read(client, handle, { search: "line 1", from_byte: 828 })).toMatch(
      /^14 matches for "line 1":\n105: line 105\n/,
    );
  });

  test("shows the context and the byte in a long line", async () => {
    const { client, handle } = await truncated(`${"é".repeat(50_000)}needle${"z".repeat(50_000)}`);
    expect(await read(client, handle, { search: "needle" })).toBe(
      `1 match for "needle":\n1 (byte 100000): …${"é".repeat(200)}needle${"z".repeat(200)}…\nEnd of the result.`,
    );
  });

  test("shows each part of a long line once", async () => {
    const { client, handle } = await truncated(`${"x".repeat(1000)}needle,needle${"y".repeat(1000)}needle`);
    expect(await read(client, handle, { search: "needle" })).toMatch(
      /^1 match for "needle":\n1 \(byte 1000\): …x+needle,needley+…\nNext: read_result .*"from_byte":2013\}$/,
    );
    expect(await read(client, handle, { search: "needle", from_byte: 1500 })).toMatch(/\n1 \(byte 2013\): …y+needle\n/);
  });

  test("continues with a whole line", async () => {
    const { client, handle } = await truncated("some text with the needle in it\n".repeat(20));
    const [, next] = /"from_byte":(\d+)\}$/.exec(await read(client, handle, { search: "needle" })) ?? [];
    expect(await read(client, handle, { search: "needle", from_byte: Number(next) })).toMatch(
      /^\d matches for "needle":\n6: some text with the needle in it\n7: some/,
    );
  });

  test("reports that there are no matches", async () => {
    const { client, handle } = await truncated(manyLines(300));
    expect(await read(client, handle, { search: "nowhere" })).toBe('No matches for "nowhere":\nEnd of the result.');
  });
});

describe("a pointer", () => {
  const value = { "a/b": { "m~n": [1, { "": "empty", é: "accent" }] }, list: [[], "x".repeat(500)], "~1": true };
  let client: TestClient;
  let handle: string;
  beforeAll(async () => {
    ({ client, handle } = await truncated(value));
  });

  test.each([
    ["/a~1b/m~0n/0", "1"],
    ["/a~1b/m~0n/1/", '"empty"'],
    ["/a~1b/m~0n/1/é", '"accent"'],
    ["/~01", "true"],
    ["/list/0", "[]"],
  ])("%s returns the value", async (pointer, shown) => {
    expect(await read(client, handle, { pointer })).toBe(`"${pointer}":\n${shown}`);
  });

  test("to a large value returns its start and its structure", async () => {
    expect(await read(client, handle, { pointer: "/list" })).toBe(
      '"/list" is too large to show: 507 bytes. Structure: array of 2, the first: empty array. The first 200 bytes:\n' +
        `[[],"${"x".repeat(195)}\n` +
        `Next: read_result {"handle":"${handle}","from_byte":253,"bytes":200}\n` +
        `Inside: read_result {"handle":"${handle}","pointer":"/list/0"}`,
    );
  });

  test.each([
    ["/lits", 'The root has no key "lits". Its keys: "a/b", "list", "~1".'],
    ["/a~1b/mn", 'The value at "/a~1b" has no key "mn". Its keys: "m~n".'],
    ["/list/2", 'The value at "/list" is an array of 2; there is no "2" in it.'],
    ["/list/01", 'The value at "/list" is an array of 2; there is no "01" in it.'],
    ["/list/0/0", 'The value at "/list/0" is an array of 0; there is no "0" in it.'],
    ["/~01/x", 'The value at "/~01" has no members. Use "/~01".'],
    ["/toString", 'The root has no key "toString". Its keys: "a/b", "list", "~1".'],
    [
      "$.list[1]",
      'The pointer "$.list[1]" is invalid. A JSON pointer is "" or starts with "/", such as "/items/0"; in a key, "~" is written "~0" and "/" is written "~1".',
    ],
  ])("%s to nothing is an error that says what exists", async (pointer, message) => {
    const result = await client.callTool("read_result", { handle, pointer });
    expect(result["isError"]).toBe(true);
    expect(result["content"]).toEqual([{ type: "text", text: message }]);
  });

  test("into a text that is not JSON is an error", async () => {
    const other = await truncated(manyLines(300));
    expect(await read(other.client, other.handle, { pointer: "/a" })).toBe(
      "The result is not JSON: read it by lines or bytes, or search it.",
    );
  });
});

describe("invalid arguments", () => {
  test.each([
    [{ from_line: 301 }, 'There is no line 301: the result has 300. Try read_result {H,"from_line":300}'],
    [{ from_byte: 9999 }, 'There is no byte 9999: the result has 2591. Try read_result {H,"from_byte":0}'],
    [{ from_line: 9, to_line: 3 }, 'to_line 3 is before from_line 9. Try read_result {H,"from_line":9}'],
    [
      { from_line: 9, from_byte: 3 },
      'from_line cannot be used when reading by bytes. Try read_result {H,"from_line":1}',
    ],
    [{ bytes: 9, to_line: 3 }, 'to_line cannot be used when reading by bytes. Try read_result {H,"from_line":1}'],
    [
      { pointer: "", from_line: 3 },
      'from_line cannot be used when reading by pointer. Try read_result {H,"from_line":1}',
    ],
    [{ ignore_case: true }, 'ignore_case cannot be used when reading by lines. Try read_result {H,"from_line":1}'],
    [{ search: "a", bytes: 3 }, 'bytes cannot be used when reading by search. Try read_result {H,"from_line":1}'],
    [{ search: "a", from_byte: 9999 }, 'There is no byte 9999: the result has 2591. Try read_result {H,"from_byte":0}'],
    [{ search: "" }, "search is empty: set it to the text to find."],
    [{ search: "x".repeat(1001) }, "search has 1001 characters; at most 1000 are allowed."],
  ])("%j are rejected with an example of valid ones", async (options, message) => {
    const { client, handle } = await truncated(manyLines(300));
    const result = await client.callTool("read_result", { handle, ...(options as JsonObject) });
    expect(result["isError"]).toBe(true);
    expect((result["content"] as { text: string }[])[0]?.text).toBe(message.replace("H", `"handle":"${handle}"`));
  });

  test("are reported like those of any tool", async () => {
    const { client, handle } = await truncated(manyLines(300));
    expect(await read(client, handle, { from_lin: 3 })).toContain('did you mean "from_line"?');
    expect(await read(client, handle, { from_line: 0 })).toContain("from_line");
  });
});

describe("a handle", () => {
  test.each([
    "result://../x",
    "result://../../etc/passwd",
    "file:///etc/passwd",
    "",
    "result://",
    `result://${"0".repeat(33)}`,
  ])("%j is rejected if it is malformed", async (handle) => {
    const client = await connectTestClient(serverReturning({}, true));
    const message = `${JSON.stringify(handle)} is not a handle: expected result:// and 32 hexadecimal digits, as in the truncated result.`;
    expect(await read(client, handle)).toBe(message);
  });

  everyRevision("that is unknown is rejected", async (open) => {
    const client = await open(serverReturning({}, true));
    const handle = `result://${"0".repeat(32)}`;
    expect(await read(client, handle)).toBe(
      `There is no result ${handle}: it has expired, was evicted, or never existed. Call the tool that returned it again.`,
    );
    await expect(client.request("resources/read", { uri: handle })).rejects.toThrow(`Resource not found: ${handle}`);
  });

  test("may be sent without its scheme, or in upper case", async () => {
    const { client, handle } = await truncated(manyLines(300));
    expect(await read(client, handle.slice(9), { from_line: 300 })).toContain("300: line 300");
    expect(await read(client, handle.toUpperCase(), { from_line: 300 })).toContain("300: line 300");
  });
});

describe("as a resource", () => {
  everyRevision("a truncated text is read whole", async (open) => {
    const client = await open(serverReturning({ it: manyLines(300) }, { budgetBytes: 200 }));
    const handle = await handleFrom(client, "it");
    const { contents } = await client.request("resources/read", { uri: handle });
    expect(contents).toEqual([{ uri: handle, mimeType: "text/plain", text: manyLines(300) }]);
  });

  everyRevision("binary data is read unchanged, but not with the tool", async (open) => {
    const picture = content(
      image(
        Uint8Array.from({ length: 3000 }, (_, at) => at % 256),
        "image/png",
      ),
    );
    const client = await open(serverReturning({ it: picture }, { budgetBytes: 200 }));
    const handle = await handleFrom(client, "it");
    const { contents } = await client.request("resources/read", { uri: handle });
    expect(contents).toEqual([{ uri: handle, mimeType: "image/png", blob: picture.blocks[0]?.["data"] }]);
    expect(await read(client, handle)).toBe(
      "This result is binary (image/png, 3000 bytes) and cannot be read by lines, bytes, search or pointer. " +
        `Read it as the resource ${handle}.`,
    );
  });

  everyRevision("a result larger than a message is an error that says how to read it in parts", async (open) => {
    const server = createServer({
      name: "test",
      version: "1.0.0",
      largeResults: true,
      limits: { messageBytes: 100_000 },
      tools: [tool({ name: "it", description: "It.", run: () => "x".repeat(100_000) })],
    });
    const client = await open(server);
    const handle = await handleFrom(client, "it");
    await expect(client.request("resources/read", { uri: handle })).rejects.toThrow(
      "The result has 100000 bytes, but a message is limited to 100000. " +
        `Read it in parts with the tool read_result: {"handle":"${handle}","from_line":1}`,
    );
  });
});

import { content, createServer, image, type JsonObject, tool } from "@toolwright/engine";
import { connect, type TestClient } from "@toolwright/engine/testing";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { giving, handleFrom, manyLines, read } from "./server.js";

/** A client and the handle of one value, cut to 200 bytes. */
async function cut(value: unknown): Promise<{ client: TestClient; handle: string }> {
  const client = await connect(giving({ it: value }, { budgetBytes: 200 }));
  return { client, handle: await handleFrom(client, "it") };
}

describe("lines", () => {
  everyRevision("are read with their numbers, as many as the budget holds", async (open) => {
    const client = await open(giving({ it: manyLines(300) }, { budgetBytes: 60 }));
    const handle = await handleFrom(client, "it");
    expect(await read(client, handle, { from_line: 124 })).toBe(
      `Lines 124 to 127 of 300:\n124: line 124\n125: line 125\n126: line 126\n127: line 127\n` +
        `Next: read_result {"handle":"${handle}","from_line":128}`,
    );
  });

  test("of a range are read up to its end", async () => {
    const { client, handle } = await cut(manyLines(300));
    expect(await read(client, handle, { from_line: 7, to_line: 8 })).toBe(
      `Lines 7 to 8 of 300:\n7: line 7\n8: line 8\nNext: read_result {"handle":"${handle}","from_line":9}`,
    );
  });

  test("are read from the first one on where nothing is said", async () => {
    const { client, handle } = await cut(manyLines(300));
    expect(await read(client, handle)).toMatch(/^Lines 1 to 18 of 300:\n1: line 1\n/);
  });

  test("end with the last one, with or without a line end behind it", async () => {
    for (const value of [manyLines(300), `${manyLines(300)}\n`]) {
      const { client, handle } = await cut(value);
      expect(await read(client, handle, { from_line: 300 })).toBe(
        "Lines 300 to 300 of 300:\n300: line 300\nThis is the end.",
      );
    }
  });

  test("that are longer than the budget are read by bytes", async () => {
    const { client, handle } = await cut(`short\n${"x".repeat(1000)}\nend`);
    expect(await read(client, handle, { from_line: 2 })).toBe(
      `Bytes 6 to 205 of 1010, from line 2 on:\n${"x".repeat(200)}\nNext: read_result {"handle":"${handle}","from_byte":206}`,
    );
  });

  test("are found far into a large result", async () => {
    const { client, handle } = await cut(manyLines(400_000));
    expect(await read(client, handle, { from_line: 399_999 })).toBe(
      "Lines 399999 to 400000 of 400000:\n399999: line 399999\n400000: line 400000\nThis is the end.",
    );
  });
});

describe("bytes", () => {
  test("are moved to where characters begin and end", async () => {
    const { client, handle } = await cut("€".repeat(500));
    expect(await read(client, handle, { from_byte: 4, bytes: 7 })).toBe(
      `Bytes 3 to 8 of 1500, from line 1 on:\n€€\nNext: read_result {"handle":"${handle}","from_byte":9}`,
    );
  });

  test("go on by at least one character", async () => {
    const { client, handle } = await cut("😀".repeat(500));
    expect(await read(client, handle, { from_byte: 0, bytes: 1 })).toMatch(/^Bytes 0 to 3 of 2000, .*\n😀\n/);
  });

  test("of a whole result, read one part after the other, give the result", async () => {
    const whole = "aé€😀\n".repeat(300);
    const { client, handle } = await cut(whole);
    let [at, joined]: [number | undefined, string] = [0, ""];
    while (at !== undefined) {
      const answer = await read(client, handle, { from_byte: at, bytes: 97 });
      const [, text = "", last = ""] = /^[^\n]*\n(.*)\n([^\n]*)$/s.exec(answer) ?? [];
      joined += text;
      const next = /"from_byte":(\d+)/.exec(last)?.[1];
      at = next === undefined ? undefined : Number(next);
    }
    expect(joined).toBe(whole);
  });
});

describe("a search", () => {
  test("shows the lines with their numbers", async () => {
    const { client, handle } = await cut(manyLines(300));
    expect(await read(client, handle, { search: "27", from_line: 200, to_line: 271 })).toBe(
      '3 places have "27":\n227: line 227\n270: line 270\n271: line 271\nThere are no more.',
    );
    expect(await read(client, handle, { search: "line 29", to_line: 100 })).toBe(
      '1 place has "line 29":\n29: line 29\nThere are no more.',
    );
  });

  test("takes signs as they are, unless they are a pattern", async () => {
    const { client, handle } = await cut(`${manyLines(100)}\na.c (x)\nabc`);
    expect(await read(client, handle, { search: "a.c" })).toBe('1 place has "a.c":\n101: a.c (x)\nThere are no more.');
    expect(await read(client, handle, { search: "^a.c", regex: true })).toBe(
      '2 places have "^a.c":\n101: a.c (x)\n102: abc\nThere are no more.',
    );
    expect(await read(client, handle, { search: "ABC", ignore_case: true })).toBe(
      '1 place has "ABC":\n102: abc\nThere are no more.',
    );
  });

  test("stops at the most places and says how to go on", async () => {
    const { client, handle } = await cut(manyLines(300));
    const first = await read(client, handle, { search: "line 1", most: 2 });
    expect(first).toBe(
      '2 places have "line 1":\n1: line 1\n10: line 10\n' +
        `Next: read_result {"handle":"${handle}","search":"line 1","most":2,"from_byte":71}`,
    );
    expect(await read(client, handle, { search: "line 1", most: 1, from_byte: 71 })).toMatch(
      /^1 place has "line 1":\n11: line 11\n/,
    );
  });

  test("shows the neighbourhood and the byte in a long line", async () => {
    const { client, handle } = await cut(`${"é".repeat(50_000)}needle${"z".repeat(50_000)}`);
    expect(await read(client, handle, { search: "needle" })).toBe(
      `1 place has "needle":\n1 (byte 100000): …${"é".repeat(150)}needle${"z".repeat(150)}…\nThere are no more.`,
    );
  });

  test("misses nothing, wherever it lies", async () => {
    for (let before = 65_500; before < 65_540; before += 1) {
      const { client, handle } = await cut(`${"x".repeat(before)}needle${"y".repeat(70_000)}`);
      expect(await read(client, handle, { search: "needle" })).toContain(`(byte ${before})`);
    }
  });

  test("says that nothing was found", async () => {
    const { client, handle } = await cut(manyLines(300));
    expect(await read(client, handle, { search: "nowhere" })).toBe('Nothing has "nowhere" from line 1 on.');
  });

  test("that takes long is stopped, and says where it goes on", async () => {
    const { client, handle } = await cut(`${"x".repeat(100)}\n`.repeat(3000));
    let [seconds] = process.hrtime();
    const clock = vi.spyOn(process, "hrtime").mockImplementation(() => [(seconds += 2), 0]);
    const answer = await read(client, handle, { search: "nowhere" });
    clock.mockRestore();
    expect(answer).toMatch(
      /^The search was stopped because it takes long; it has not reached the end\.\nNext: read_result .*"from_byte":[1-9]\d*\}$/,
    );
  });

  test("with a pattern that would take for ever is stopped", async () => {
    const { client, handle } = await cut(`${"a".repeat(5000)}!`);
    const result = await client.callTool("read_result", { handle, search: "(a+)+$", regex: true });
    expect(result["isError"]).toBe(true);
    expect(result["content"]).toEqual([
      {
        type: "text",
        text:
          'The regular expression "(a+)+$" takes too long and was stopped. ' +
          "Repeat nothing inside a repetition, or look for plain text.",
      },
    ]);
    expect(await read(client, handle, { search: "aa!" })).toMatch(/^1 place has/);
  });
});

describe("a pointer", () => {
  const value = { "a/b": { "m~n": [1, { "": "empty", é: "accent" }] }, list: [[], "x".repeat(500)], "~1": true };
  let client: TestClient;
  let handle: string;
  beforeAll(async () => {
    ({ client, handle } = await cut(value));
  });

  test.each([
    ["/a~1b/m~0n/0", '"/a~1b/m~0n/0" is a number:\n1'],
    ["/a~1b/m~0n/1/", '"/a~1b/m~0n/1/" is a string:\n"empty"'],
    ["/a~1b/m~0n/1/é", '"/a~1b/m~0n/1/é" is a string:\n"accent"'],
    ["/~01", '"/~01" is a boolean:\ntrue'],
    ["/list/0", '"/list/0" is an array of 0:\n[]'],
  ])("%s shows what is there", async (pointer, shown) => {
    expect(await read(client, handle, { pointer })).toBe(shown);
  });

  test("to something large shows its head and its shape", async () => {
    expect(await read(client, handle, { pointer: "/list" })).toBe(
      '"/list" is an array of 2, too large to show (507 bytes). Its shape: array of 2, the first: empty array. Its first 200 bytes:\n' +
        `[[],"${"x".repeat(195)}\n` +
        `Next: read_result {"handle":"${handle}","from_byte":253,"bytes":200}\n` +
        `Inside: read_result {"handle":"${handle}","pointer":"/list/0"}`,
    );
  });

  test.each([
    ["/lits", 'The whole has no key "lits". Did you mean "/list"?'],
    ["/a~1b/mn", 'What is at "/a~1b" has no key "mn". Did you mean "/a~1b/m~0n"?'],
    ["/zzzzzzzz", 'The whole has no key "zzzzzzzz". It has "a/b", "list", "~1".'],
    ["/list/2", 'What is at "/list" is an array and has elements 0 to 1; there is no "2" in it.'],
    ["/list/01", 'What is at "/list" is an array and has elements 0 to 1; there is no "01" in it.'],
    ["/list/0/0", 'What is at "/list/0" is an array and is empty; there is no "0" in it.'],
    ["/~01/x", 'What is at "/~01" is a boolean: the pointer cannot lead into it. Use "/~01".'],
    ["/toString", 'The whole has no key "toString". It has "a/b", "list", "~1".'],
    [
      "$.list[1]",
      'The pointer "$.list[1]" is not right. A pointer is "" or begins with "/"; in a key, "~" is written "~0" and "/" is written "~1". Did you mean "/list/1"?',
    ],
  ])("%s that leads nowhere is refused with what is near", async (pointer, message) => {
    const result = await client.callTool("read_result", { handle, pointer });
    expect(result["isError"]).toBe(true);
    expect(result["content"]).toEqual([{ type: "text", text: message }]);
  });

  test("into a text that is not JSON is refused", async () => {
    const other = await cut(manyLines(300));
    expect(await read(other.client, other.handle, { pointer: "/a" })).toBe(
      "The result is not JSON: read it by lines or bytes, or search in it.",
    );
  });
});

describe("wrong arguments", () => {
  test.each([
    [{ from_line: 301 }, 'There is no line 301: the result has 300 lines. Try read_result {H,"from_line":201}'],
    [{ from_byte: 9999 }, 'There is no byte 9999: the result has 2591 bytes. Try read_result {H,"from_byte":2391}'],
    [{ from_line: 9, to_line: 3 }, 'to_line 3 lies before from_line 9. Try read_result {H,"from_line":3,"to_line":9}'],
    [{ from_line: 9, from_byte: 3 }, 'Give lines or bytes, not both. Try read_result {H,"from_line":9}'],
    [{ bytes: 9, to_line: 3 }, 'Give lines or bytes, not both. Try read_result {H,"from_byte":0}'],
    [{ pointer: "", from_line: 3 }, 'pointer goes alone, without from_line. Try read_result {H,"pointer":""}'],
    [
      { most: 3 },
      'regex, ignore_case and most belong to search, which is missing. Try read_result {H,"search":"text"}',
    ],
    [
      { search: "a", bytes: 3 },
      'bytes does not go with search; bound a search with to_line or most. Try read_result {H,"search":"a"}',
    ],
    [
      { search: "a", from_byte: 9999 },
      'There is no byte 9999: the result has 2591 bytes. Try read_result {H,"search":"a"}',
    ],
    [{ search: "" }, "search is empty: give the text to look for."],
    [{ search: "x".repeat(1001) }, "search has 1001 characters, at most 1000 are allowed."],
  ])("%j are refused with right ones", async (wish, message) => {
    const { client, handle } = await cut(manyLines(300));
    const result = await client.callTool("read_result", { handle, ...(wish as JsonObject) });
    expect(result["isError"]).toBe(true);
    expect((result["content"] as { text: string }[])[0]?.text).toBe(message.replace("H", `"handle":"${handle}"`));
  });

  test("a pattern that is none is refused in the runtime's own words", async () => {
    const { client, handle } = await cut(manyLines(300));
    expect(await read(client, handle, { search: "(", regex: true })).toMatch(
      /^search is not a regular expression: (\/\(\/gm: Unterminated group|missing \))\. Leave out "regex" to look for the text as it is\.$/,
    );
  });

  test("of the wrong kind are told like those of any tool", async () => {
    const { client, handle } = await cut(manyLines(300));
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
  ])("%j is none", async (handle) => {
    const client = await connect(giving({}, true));
    const answer = `${JSON.stringify(handle)} is no handle: a handle is result:// and 32 digits of 0-9 and a-f, as the cut result gave it.`;
    expect(await read(client, handle)).toBe(answer);
  });

  everyRevision("that nobody knows is refused", async (open) => {
    const client = await open(giving({}, true));
    const handle = `result://${"0".repeat(32)}`;
    expect(await read(client, handle)).toBe(
      `There is no result ${handle}: it has expired, had to make room, or never was. Call the tool that gave it again.`,
    );
    await expect(client.request("resources/read", { uri: handle })).rejects.toThrow(`Resource not found: ${handle}`);
  });

  test("may come without its scheme, or in capitals", async () => {
    const { client, handle } = await cut(manyLines(300));
    expect(await read(client, handle.slice(9), { from_line: 300 })).toContain("300: line 300");
    expect(await read(client, handle.toUpperCase(), { from_line: 300 })).toContain("300: line 300");
  });
});

describe("as a resource", () => {
  everyRevision("a cut text is read whole", async (open) => {
    const client = await open(giving({ it: manyLines(300) }, { budgetBytes: 200 }));
    const handle = await handleFrom(client, "it");
    const { contents } = await client.request("resources/read", { uri: handle });
    expect(contents).toEqual([{ uri: handle, mimeType: "text/plain", text: manyLines(300) }]);
  });

  everyRevision("what is binary is read as it was, and by the tool not at all", async (open) => {
    const picture = content(
      image(
        Uint8Array.from({ length: 3000 }, (_, at) => at % 256),
        "image/png",
      ),
    );
    const client = await open(giving({ it: picture }, { budgetBytes: 200 }));
    const handle = await handleFrom(client, "it");
    const { contents } = await client.request("resources/read", { uri: handle });
    expect(contents).toEqual([{ uri: handle, mimeType: "image/png", blob: picture.blocks[0]?.["data"] }]);
    expect(await read(client, handle)).toBe(
      "This result is binary (image/png, 3000 bytes) and cannot be read by lines, bytes, search or pointer. " +
        `Read it whole, as the resource ${handle}.`,
    );
  });

  everyRevision("what no message can hold says how to read it in parts", async (open) => {
    const server = createServer({
      name: "test",
      version: "1.0.0",
      results: true,
      limits: { messageBytes: 100_000 },
      tools: [tool({ name: "it", description: "It.", run: () => "x".repeat(100_000) })],
    });
    const client = await open(server);
    const handle = await handleFrom(client, "it");
    await expect(client.request("resources/read", { uri: handle })).rejects.toThrow(
      "The result has 100000 bytes; a message holds 100000. " +
        `Read it in parts with the tool read_result: {"handle":"${handle}","from_line":1}`,
    );
  });
});

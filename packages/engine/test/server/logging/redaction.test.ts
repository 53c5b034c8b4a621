import { afterEach, describe, expect, test, vi } from "vitest";
import { createRedaction } from "../../../src/server/logging/redaction.js";

const plain = createRedaction();
const redact = (value: unknown): unknown => JSON.parse(plain.json(value));

afterEach(() => vi.unstubAllEnvs());

describe("json", () => {
  test.each([
    ["token"],
    ["accessToken"],
    ["client_secret"],
    ["password"],
    ["PASSWD"],
    ["passphrase"],
    ["DB_PASS"],
    ["credentials"],
    ["apiKey"],
    ["api_key"],
    ["API-KEY"],
    ["privateKey"],
    ["private-key"],
    ["Authorization"],
    ["connectionString"],
    ["connection_string"],
  ])("redacts the value of %s", (name) => {
    expect(redact({ [name]: "value" })).toEqual({ [name]: "[redacted]" });
    expect(redact({ [name]: { deep: ["value"] } })).toEqual({ [name]: "[redacted]" });
  });

  test("redacts members of nested objects and arrays only", () => {
    expect(redact({ user: "ada", list: [{ secret: 1, n: 2 }], none: null, yes: true })).toEqual({
      user: "ada",
      list: [{ secret: "[redacted]", n: 2 }],
      none: null,
      yes: true,
    });
    expect(redact("password hunter2")).toBe("password hunter2");
    expect(redact(5)).toBe(5);
    expect(redact(null)).toBeNull();
  });

  test("keeps token counts, progress tokens and tokenizers", () => {
    expect(redact({ tokens: 5, maxTokens: 9, token: 5 })).toEqual({ tokens: 5, maxTokens: 9, token: "[redacted]" });
    expect(redact({ progressToken: "p-1", tokenizer: "bpe", bypass: "no" })).toEqual({
      progressToken: "p-1",
      tokenizer: "bpe",
      bypass: "no",
    });
  });

  test("redacts credentials inside strings", () => {
    expect(redact({ header: "Authorization: Bearer abc12345", note: "plain" })).toEqual({
      header: "Authorization: [redacted]",
      note: "plain",
    });
  });

  test("redacts credentials in names, and keeps names unique", () => {
    expect(redact({ "postgres://ada:hunter2@db/x": 1, "Bearer abc12345": 2 })).toEqual({
      "postgres://ada:[redacted]@db/x": 1,
      "Bearer [redacted]": 2,
    });
    const keys = { "sk-abcdefghijklmnop1234": 1, n: 2, "sk-abcdefghijklmnop5678": 3, "[redacted]": 4 };
    expect(plain.json(keys)).toBe('{"[redacted]":1,"n":2,"[redacted] 3":3,"[redacted] 4":4}');
  });

  test("describes what JSON cannot represent, and never throws", () => {
    const cyclic: { self?: unknown; n: number } = { n: 1 };
    cyclic.self = cyclic;
    expect(redact(cyclic)).toEqual({ self: "[circular]", n: 1 });
    expect(redact(undefined)).toBeNull();
    expect(redact({ error: new Error("lost"), big: 1n })).toEqual({ error: "lost", big: "1" });
    expect(redact(new Date(0))).toBe("1970-01-01T00:00:00.000Z");
    expect(redact([undefined, () => 1, Number.NaN])).toEqual([null, null, null]);
    expect(redact({ left: undefined, out: () => 1, n: 1 })).toEqual({ n: 1 });
    expect(redact(Buffer.from("abc"))).toBe("[3 bytes]");
  });

  test("serializes maps and sets, and redacts their values", () => {
    expect(
      redact(
        new Map<string, unknown>([
          ["token", "t"],
          ["n", new Set([1, 2])],
        ]),
      ),
    ).toEqual({
      token: "[redacted]",
      n: [1, 2],
    });
    expect(redact(new Map([[1, "a"]]))).toEqual([[1, "a"]]);
  });

  test("describes members whose getter, toJSON or proxy throws", () => {
    const odd = {
      get broken(): string {
        throw new Error("no");
      },
      n: 1,
      toBe: {
        toJSON() {
          throw new Error("no");
        },
      },
      closed: new Proxy(
        {},
        {
          ownKeys() {
            throw new Error("no");
          },
        },
      ),
    };
    expect(redact(odd)).toEqual({
      broken: "[unreadable]",
      n: 1,
      toBe: "[unreadable]",
      closed: "[unreadable]",
    });
  });

  test("serializes shared values twice, and limits depth and number of values", () => {
    const shared = { n: 1 };
    expect(redact([shared, shared])).toEqual([{ n: 1 }, { n: 1 }]);
    let deep: unknown = "end";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(plain.json(deep)).toMatch(/^\[{300}"\[nested too deeply\]"\]{300}$/);
    let wide: unknown = "end";
    for (let level = 0; level < 40; level += 1) wide = [wide, wide];
    expect(plain.json(wide)).toContain('"[too many values]"');
  });

  test("does not modify the value", () => {
    const value = { token: "t", nested: { password: "p" } };
    redact(value);
    expect(value).toEqual({ token: "t", nested: { password: "p" } });
  });

  test("keeps members such as __proto__", () => {
    const value = JSON.parse('{"__proto__":{"token":"t"},"a":1}') as never;
    expect(plain.json(value)).toBe('{"__proto__":{"token":"[redacted]"},"a":1}');
  });
});

describe("names", () => {
  const redaction = createRedaction({ names: ["card-number", /^iban$/gi] });

  test("match whole names, ignoring case and separators, or patterns", () => {
    const given = { cardNumber: 1, CARD_NUMBER: 2, cardNumbers: 3, iban: 4, IBAN: 5, iban2: 6, token: 7 };
    expect(JSON.parse(redaction.json(given))).toEqual({
      cardNumber: "[redacted]",
      CARD_NUMBER: "[redacted]",
      cardNumbers: 3,
      iban: "[redacted]",
      IBAN: "[redacted]",
      iban2: 6,
      token: "[redacted]",
    });
    expect(redaction.text("iban=DE00 cardNumber: 4711")).toBe("iban=[redacted] cardNumber: [redacted]");
  });

  test("must be strings or patterns", () => {
    expect(() => createRedaction({ names: [5 as never] })).toThrow(
      new TypeError("redact.names must be strings or patterns"),
    );
    expect(() => createRedaction({ names: [""] })).toThrow("redact.names must be strings or patterns");
  });
});

describe("values", () => {
  test.each(["a%20b%2Fc!d", "a%20b%2fc!d", "a%20b%2Fc%21d", "a%20b%2fc%21d", "a+b%2Fc%21d", "a+b%2fc%21d"])(
    "are redacted in each form of percent-encoding: %s",
    (form) => expect(createRedaction({ values: ["a b/c!d"] }).text(`x=${form}&y=1`)).toBe("x=[redacted]&y=1"),
  );

  test("are redacted in strings, names and numbers, also JSON-escaped or percent-encoded", () => {
    const redaction = createRedaction({ values: ["hunter22", 'a"b/c', "4711"] });
    expect(JSON.parse(redaction.json({ a: "say hunter22!", hunter22: [14711, 4711n], b: "x" }))).toEqual({
      a: "say [redacted]!",
      "[redacted]": ["[redacted]", "[redacted]"],
      b: "x",
    });
    expect(redaction.text('{"x":"a\\"b/c"} https://host/?q=a%22b%2Fc')).toBe(
      '{"x":"[redacted]"} https://host/?q=[redacted]',
    );
  });

  test("that contain each other or the placeholder are redacted", () => {
    expect(createRedaction({ values: ["abcd", "abcdefgh"] }).text("abcdefgh abcd")).toBe("[redacted] [redacted]");
    expect(createRedaction({ values: ["redacted", "abcd"] }).text("abcd redacted")).toBe("*** ***");
    expect(createRedaction({ values: ["abcd", "x[red"] }).text("xabcd")).toBe("[redacted]");
  });

  test("must have a minimum length", () => {
    const fault = new TypeError("redact.values must be strings of at least 4 characters");
    expect(() => createRedaction({ values: ["abc"] })).toThrow(fault);
    expect(() => createRedaction({ values: [5 as never] })).toThrow(fault);
  });

  test("include environment variables with secret names, read on first use", () => {
    const redaction = createRedaction();
    vi.stubEnv("SHOP_API_KEY", "k-12345678");
    vi.stubEnv("SHOP_TOKEN_FILE", "/run/token-file");
    vi.stubEnv("SHOP_PASSWORD", "short");
    vi.stubEnv("SHOP_MAX_TOKENS", "100000000");
    expect(redaction.text("k-12345678 /run/token-file short 100000000")).toBe(
      "[redacted] /run/token-file short 100000000",
    );
  });
});

describe("text", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
  const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----";

  test.each([
    ["Authorization: Bearer abc.def-123", "Authorization: [redacted]"],
    ["sent 'Authorization: Basic dXNlcjpwYXNz' to it", "sent 'Authorization: [redacted]' to it"],
    ["Bearer abc12345 was refused", "Bearer [redacted] was refused"],
    ["Cookie: a=b; c=d\nnext", "Cookie: [redacted]\nnext"],
    ["api_key=abc&x=1", "api_key=[redacted]&x=1"],
    ["token: abc123, user: ada", "token: [redacted], user: ada"],
    ['{"apiKey":"a b","n":1}', '{"apiKey":"[redacted]","n":1}'],
    ['"{\\"apiKey\\":\\"abc\\"}"', '"{\\"apiKey\\":\\"[redacted]\\"}"'],
    ['{"password":"ab\\"cd hunter2","n":1}', '{"password":"[redacted]","n":1}'],
    ['"{\\"apiKey\\":\\"ab\\\\\\"cd\\",\\"n\\":1}"', '"{\\"apiKey\\":\\"[redacted]\\",\\"n\\":1}"'],
    ["password='it\\'s hunter2' n=1", "password='[redacted]' n=1"],
    ["password = 'my long one'", "password = '[redacted]'"],
    ["login --password hunter2 --user ada", "login --password [redacted] --user ada"],
    ["postgres://ada:hunter2@db/x", "postgres://ada:[redacted]@db/x"],
    ["https://ada:p@ss@host/x", "https://ada:[redacted]@host/x"],
    [`got ${jwt} here`, "got [redacted] here"],
    [`key:\n${pem}\nend`, "key:\n[redacted]\nend"],
    [`cut ${pem.slice(0, 45)}`, "cut [redacted]"],
    ["sk-abcdefghijklmnop1234 failed", "[redacted] failed"],
    ["ghp_abcdefghijklmnopqrst0123456789", "[redacted]"],
    ["AKIAABCDEFGHIJKLMNOP", "[redacted]"],
    ["xoxb-123456789012-abc", "[redacted]"],
    [`SK${"0a".repeat(16)}`, "[redacted]"],
    [`key-${"0a".repeat(16)}`, "[redacted]"],
    [`${"0a".repeat(16)}-0a0a0a0a-0b0b0b0b`, "[redacted]"],
    [`hvs.${"aB3_".repeat(8)}`, "[redacted]"],
    [`dp.st.dev.${"aB3d".repeat(10)}`, "[redacted]"],
    [`lin_api_${"aB3d".repeat(10)}`, "[redacted]"],
    [`ntn_${"aB3d".repeat(12)}`, "[redacted]"],
    [`secret_${"aB3d".repeat(11)}`, "[redacted]"],
    [`dapi${"0a".repeat(16)}`, "[redacted]"],
    [`aB3d5fG7hJ9kL1.atlasv1.${"aB3d".repeat(16)}`, "[redacted]"],
    [`aB38Q~${"aB3d".repeat(8)}xy`, "[redacted]"],
    [`M${"aB3d".repeat(6)}.aB3d5f.${"aB3d".repeat(8)}`, "[redacted]"],
    [`bot123456789:AA${"aB3".repeat(11)}/getMe`, "bot[redacted]/getMe"],
    [
      `https://discord.example/api/webhooks/123456789/${"aB3d".repeat(16)}`,
      "https://discord.example/api/webhooks/123456789/[redacted]",
    ],
    [
      `https://x.blob.example/a?sp=r&sig=${"aB3d".repeat(11)}%3D&sv=1`,
      "https://x.blob.example/a?sp=r&sig=[redacted]&sv=1",
    ],
    [`AccountName=x;AccountKey=${"aB3d".repeat(21)}==;n=1`, "AccountName=x;AccountKey=[redacted];n=1"],
    ["token%3Dhunter2&n=1", "token%3D[redacted]&n=1"],
    ["Bearer%20abc12345", "Bearer%20[redacted]"],
  ])("%j becomes %j", (given, expected) => {
    expect(plain.text(given)).toBe(expected);
    expect(plain.text(expected)).toBe(expected);
  });

  test.each([
    "password hunter2",
    "token: required, but missing (string)",
    "The token is not right: must be text",
    "Basic authentication is off",
    "max_tokens=4096, tokens: 12",
    "https://host:8080/a@b",
    "ssh://git@host/x",
    "at 10:30 the task-list was read",
    "user: ada, n=5",
    "credentials: { user: 'ada' }",
    "0a0a0a0a-0a0a-0a0a-0a0a-0a0a0a0a0a0a",
    "key-value pairs, SKU-1, https://x.example/?sig=short",
  ])("%j stays as it is", (given) => {
    expect(plain.text(given)).toBe(given);
  });
});

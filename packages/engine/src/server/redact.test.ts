import { afterEach, describe, expect, test, vi } from "vitest";
import { createRedaction } from "./redact.js";

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
  ])("says nothing of %s", (name) => {
    expect(redact({ [name]: "value" })).toEqual({ [name]: "[redacted]" });
    expect(redact({ [name]: { deep: ["value"] } })).toEqual({ [name]: "[redacted]" });
  });

  test("looks into objects and lists, and leaves the rest alone", () => {
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

  test("leaves the number of tokens that a model has used, the token of progress, and what cuts text into tokens", () => {
    expect(redact({ tokens: 5, maxTokens: 9, token: 5 })).toEqual({ tokens: 5, maxTokens: 9, token: "[redacted]" });
    expect(redact({ progressToken: "p-1", tokenizer: "bpe", bypass: "no" })).toEqual({
      progressToken: "p-1",
      tokenizer: "bpe",
      bypass: "no",
    });
  });

  test("finds credentials inside of texts", () => {
    expect(redact({ header: "Authorization: Bearer abc12345", note: "plain" })).toEqual({
      header: "Authorization: [redacted]",
      note: "plain",
    });
  });

  test("finds credentials in names, and keeps members apart whose names become the same", () => {
    expect(redact({ "postgres://ada:hunter2@db/x": 1, "Bearer abc12345": 2 })).toEqual({
      "postgres://ada:[redacted]@db/x": 1,
      "Bearer [redacted]": 2,
    });
    const keys = { "sk-abcdefghijklmnop1234": 1, n: 2, "sk-abcdefghijklmnop5678": 3, "[redacted]": 4 };
    expect(plain.json(keys)).toBe('{"[redacted]":1,"n":2,"[redacted] 3":3,"[redacted] 4":4}');
  });

  test("tells what JSON cannot write as text, and never fails", () => {
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

  test("writes maps and sets, and looks into them", () => {
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

  test("goes on past what throws when it is looked at", () => {
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
      toBe: "[object that JSON cannot write]",
      closed: "[object that JSON cannot write]",
    });
  });

  test("writes a value that occurs twice twice, and stops where nesting or number have no end", () => {
    const shared = { n: 1 };
    expect(redact([shared, shared])).toEqual([{ n: 1 }, { n: 1 }]);
    let deep: unknown = "end";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(plain.json(deep)).toMatch(/^\[{300}"\[nested too deep\]"\]{300}$/);
    let wide: unknown = "end";
    for (let level = 0; level < 40; level += 1) wide = [wide, wide];
    expect(plain.json(wide)).toContain('"[too much to write]"');
  });

  test("changes nothing in the value it is given", () => {
    const value = { token: "t", nested: { password: "p" } };
    redact(value);
    expect(value).toEqual({ token: "t", nested: { password: "p" } });
  });

  test("keeps members with names that JavaScript treats in its own way", () => {
    const value = JSON.parse('{"__proto__":{"token":"t"},"a":1}') as never;
    expect(plain.json(value)).toBe('{"__proto__":{"token":"[redacted]"},"a":1}');
  });
});

describe("names", () => {
  const redaction = createRedaction({ names: ["card-number", /^iban$/gi] });

  test("are further ones, whole and whatever their case and signs, or patterns", () => {
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

  test("must be names or patterns", () => {
    expect(() => createRedaction({ names: [5 as never] })).toThrow(
      new TypeError("redact.names must be names or patterns"),
    );
    expect(() => createRedaction({ names: [""] })).toThrow("redact.names must be names or patterns");
  });
});

describe("values", () => {
  test("are replaced in texts, names and numbers, also as JSON and addresses spell them", () => {
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

  test("that are part of each other, or of what stands in their place, are gone too", () => {
    expect(createRedaction({ values: ["abcd", "abcdefgh"] }).text("abcdefgh abcd")).toBe("[redacted] [redacted]");
    expect(createRedaction({ values: ["redacted", "abcd"] }).text("abcd redacted")).toBe("*** ***");
    expect(createRedaction({ values: ["abcd", "x[red"] }).text("xabcd")).toBe("[redacted]");
  });

  test("must be texts of some length: a short one stands everywhere", () => {
    const fault = new TypeError("redact.values must be texts of 4 characters or more");
    expect(() => createRedaction({ values: ["abc"] })).toThrow(fault);
    expect(() => createRedaction({ values: [5 as never] })).toThrow(fault);
  });

  test("of variables that are named like secrets count among them, read at first use", () => {
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
  ])("%j stays as it is", (given) => {
    expect(plain.text(given)).toBe(given);
  });
});

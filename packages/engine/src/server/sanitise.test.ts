import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedaction } from "./redact.js";
import { createIsSaid, type Inwards, sanitise } from "./sanitise.js";

const inwards: Inwards = {
  folders: ["/app", "/work/shop", "/home/ada", "/tmp", "C:\\Users\\Ada Lovelace"],
  environment: { HOME: "/home/ada", LANG: "C.UTF-8", SHOP_TOKEN: "t-1", GREETING: "good morning all" },
  redaction: createRedaction({ values: ["hunter22"] }),
};
const clean = (text: string, said?: unknown) => sanitise(text, createIsSaid(said), inwards);

describe("paths of the host", () => {
  test.each([
    [
      "ENOENT: no such file or directory, open '/home/ada/My Files/notes.txt'",
      "ENOENT: no such file or directory, open '…/notes.txt'",
    ],
    ["cannot read /etc/shadow", "cannot read …/shadow"],
    ["cannot read /etc/shadow.", "cannot read …/shadow."],
    ["(/usr/lib/node/x.js:10:5)", "(…/x.js:10:5)"],
    ["PATHS=/usr/bin:/opt/tools/bin", "PATHS=…/bin:…/bin"],
    ["/Users/ada/x and /private/var/y", "…/x and …/y"],
    ["/Users/Ada Lovelace/x.txt is gone", "…/x.txt is gone"],
    ["home is /home/bob", "home is …"],
    ["in /app/server.js", "in …/server.js"],
    ["in /app", "in …/app"],
    ["in /work/other/config.json", "in …/config.json"],
    ["at /srv2/x/y.ts:3:14", "at …/y.ts:3:14"],
    ["/x/node_modules/zod/index.js", "…/index.js"],
    ["C:\\Users\\Ada Lovelace\\x.txt", "…/x.txt"],
    ["open 'D:\\a b\\c.txt' failed", "open '…/c.txt' failed"],
    ["C:\\Program Files\\App\\x.dll", "…/x.dll"],
    ["c:/temp/x.log", "…/x.log"],
    ["\\\\fileserver\\share\\x.doc", "…/x.doc"],
    ["file:///home/ada/my%20x.txt", "…/my x.txt"],
    ["see file:///C:/Users/ada/x.ts:1", "see …/x.ts:1"],
    ["/proc/self/environ, /run/secrets/db", "…/environ, …/db"],
  ])("%j becomes %j", (given, expected) => {
    expect(clean(given)).toBe(expected);
  });

  test.each([
    "GET /api/v1/users failed with 404",
    "POST /home/start failed",
    "https://example.com/home/ada/x and http://localhost:3000/var/x",
    "1/2 of 3/4, 2024/01/02, and/or, n/a",
    "text/plain; application/json",
    "the route /users/42 is unknown",
    "/home",
    "a / b // c",
    "./tmp/x ../etc/y ~/notes",
    "todo://list/home/x",
    "must match ^\\d+\\w$",
    "10:30:15 is the time",
  ])("%j has none", (given) => {
    expect(clean(given)).toBe(given);
  });

  test("that the client itself has sent stay, as they are, in an address, and parts of them", () => {
    const said = { name: "read", arguments: { path: "/home/ada/a b.txt", also: ["file:///etc/my%20file"] } };
    const text = "no '/home/ada/a b.txt' in /home/ada, nor '/etc/my file'; see /home/ada/other.txt";
    expect(clean(text, said)).toBe("no '/home/ada/a b.txt' in /home/ada, nor '/etc/my file'; see …/other.txt");
  });
});

test("A request that is long, with an answer full of paths, is looked through in bounds", () => {
  const said = { text: "x".repeat(9_000_000) };
  expect(clean("/etc/a ".repeat(5000), said)).toBe("…/a ".repeat(5000));
});

describe("stacks", () => {
  test.each([
    ["lost\n    at run (/app/x.js:1:2)\n    at async Object.<anonymous> (node:internal/x:3:4)", "lost"],
    ["lost\n    at /app/x.js:1:2\n    at new Shop (file:///app/x.js:1:2)\nthen more", "lost\nthen more"],
    ["Error: a at f (/app/x.js:1:2) at g (/app/y.js:3:4)", "Error: a"],
    [
      "java.lang.Exception: no\n\tat com.shop.Cart.add(Cart.java:12)\n\t... 12 more\nCaused by: why",
      "java.lang.Exception: no\nCaused by: why",
    ],
    ["System.Exception: no\n   at Shop.Cart.Add(String a, Int32 b) in C:\\x\\Cart.cs:line 3", "System.Exception: no"],
    [
      'Traceback (most recent call last):\n  File "/app/x.py", line 3, in f\n    g()\nValueError: bad',
      "ValueError: bad",
    ],
    ["panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d", "panic: no\n\nmain.main()"],
    ["x.rb:1:in 'f': no\n\tfrom x.rb:5:in '<main>'", "x.rb:1:in 'f': no"],
    ["Fatal\n#0 /app/x.php(12): f()\n#1 {main}", "Fatal"],
    ["    at run (/app/x.js:1:2)\n    at go (/app/x.js:1:2)", "The details are in the server's log."],
  ])("%j becomes %j", (given, expected) => {
    expect(clean(given)).toBe(expected);
  });

  test.each(["Meet me\n  at noon (local time)", "It begins\n  at 10:30", "one\n  two\n    three"])(
    "%j has none",
    (given) => {
      expect(clean(given)).toBe(given);
    },
  );
});

describe("SQL", () => {
  test.each([
    ["SELECT * FROM users WHERE name = 'a: b' failed", "[SQL]"],
    ["query failed: SELECT id FROM users; try again", "query failed: [SQL] try again"],
    ["insert into `users` (`name`) values ('ada') - SQLITE_CONSTRAINT: unique", "[SQL] - SQLITE_CONSTRAINT: unique"],
    ['Failed query: select "id", "name" from "users" where "id" = $1\nparams: 5', "Failed query: [SQL]"],
    ["(select count(*) from users) is slow", "([SQL]) is slow"],
    ["update users set name = 'x' where id = 1: locked", "[SQL]: locked"],
    ["delete from users where id = 3", "[SQL]"],
    ["no such table in CREATE TABLE x (y int)", "no such table in [SQL]"],
    ["WITH recent AS (SELECT 1) SELECT * FROM recent", "[SQL]"],
    ["select id from users where name like 'a%'", "[SQL]"],
    ["alter table users add column x", "[SQL]"],
  ])("%j becomes %j", (given, expected) => {
    expect(clean(given)).toBe(expected);
  });

  test.each([
    "Please select one from the list",
    'Select "Save" from the menu, where you find it',
    "Select a, b or c from the list where possible",
    "You must update the profile and set a name",
    "Delete from the list what you do not need",
    "with the table as (it) is",
    "create table reservations for two",
    "insert into the slot",
  ])("%j is prose", (given) => {
    expect(clean(given)).toBe(given);
  });

  test("that the client has sent stays", () => {
    const sql = "select * from users where id = 1;";
    expect(clean(`syntax error in ${sql}`, { arguments: { sql } })).toBe(`syntax error in ${sql}`);
  });
});

describe("the environment and secrets", () => {
  test.each([
    ["env: LANG=C.UTF-8 GREETING=good morning all X=1", "env: LANG=[redacted] GREETING=[redacted] X=1"],
    ["SHOP_TOKEN=other and DB_PASSWORD='a b'", "SHOP_TOKEN=[redacted] and DB_PASSWORD=[redacted]"],
    ["say hunter22", "say [redacted]"],
    ["postgres://ada:pw@db/x", "postgres://ada:[redacted]@db/x"],
  ])("%j becomes %j", (given, expected) => {
    expect(clean(given)).toBe(expected);
  });

  test.each(["password: required, but missing", "a=b", "limit=5", "LANGUAGE=x", "LANG=de"])("%j stays", (given) => {
    expect(clean(given)).toBe(given);
  });

  test("a secret is blanked even where the client has sent it", () => {
    expect(clean("say hunter22", { arguments: { text: "hunter22" } })).toBe("say [redacted]");
  });
});

const scraps = fc.constantFrom(
  "/home/ada/x.txt",
  "…",
  "'",
  '"',
  "\n",
  "\n    at f (/app/x.js:1:2)",
  "SELECT * FROM a",
  "select a, b from c",
  ";",
  ": ",
  " - ",
  "SHOP_TOKEN=",
  "hunter22",
  "[redacted]",
  "[SQL]",
  "file:///etc/x",
  "C:\\x\\y",
  "\\\\a\\b",
  "(",
  ")",
  "=",
  "/",
  " ",
  "\t",
  "Traceback (most recent call last):\n",
  '  File "x.py", line 3\n',
  "LANG=C.UTF-8",
  "token: ",
  "Bearer abc12345",
  "a",
  "GET ",
);
const hostile = fc.array(fc.oneof({ weight: 4, arbitrary: scraps }, fc.string({ maxLength: 8 })), { maxLength: 30 });

describe("any text", () => {
  test("comes out the same when it goes through twice", () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        const once = clean(parts.join(""));
        expect(clean(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  test("loses the listed values, whatever stands around them", () => {
    fc.assert(fc.property(hostile, (parts) => !clean(parts.join("hunter22")).includes("hunter22")));
  });

  test.each([
    " ",
    "a",
    "/",
    "/home/",
    "\\",
    "(",
    "at (",
    "at .",
    "\n at ",
    "select ",
    "select a,",
    "SELECT a ",
    "token:",
    "token:[",
    "a=",
    "eyJ-",
    "://",
    "://a:",
    "-----BEGIN PRIVATE KEY-----",
    "'",
    "file:",
    "C:\\a ",
    "'/home/a",
    'File "',
    "from :1",
    "#1 (1",
    "--token ",
    "(/a.b:1:1",
  ])("of a million characters made of %j is served like any other", (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(clean(text).length).toBeLessThanOrEqual(65_537);
    expect(typeof inwards.redaction.text(text)).toBe("string");
  });
});

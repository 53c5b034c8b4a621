import { createRedaction } from "@toolwright/engine/observability";
import { describe, expect, test } from "vitest";
import { maskEnvironment } from "../../../src/machine/mask-environment.js";

const redaction = createRedaction({ values: ["hunter22"] });
const mask = (env: NodeJS.ProcessEnv) => maskEnvironment(env, redaction);

describe("the environment is shown", () => {
  test("in the order of its names, with totals", () => {
    expect(mask({ USER: "ada", HOME: "/home/ada", EMPTY: "", GONE: undefined })).toEqual({
      variables: { EMPTY: "", HOME: "/home/ada", USER: "ada" },
      total: 3,
      masked: 0,
      left_out: 0,
    });
  });

  test.each([
    "GITHUB_TOKEN",
    "AWS_ACCESS_KEY_ID",
    "client_secret",
    "DB_PASSWORD",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "SOME_API_KEY",
    "SOMEAPIKEY",
    "MY_PRIVATE_THING",
    "BASIC_AUTH",
    "AZURE_STORAGE_CONNECTION_STRING",
    "ConnectionString",
    "SENTRY_DSN",
    "SESSION_COOKIE",
    "MYSQL_PWD",
  ])("without the value of %s", (name) => {
    expect(mask({ [name]: "plain" })).toMatchObject({ variables: { [name]: "****" }, masked: 1 });
  });

  test.each(["PWD", "OLDPWD", "PATH", "LANG"])("with the value of %s", (name) => {
    expect(mask({ [name]: "/work" })).toMatchObject({ variables: { [name]: "/work" }, masked: 0 });
  });

  test.each([
    ["0123456789abcdef0123456789abcdef", "****"],
    ["Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5", "****"],
    ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "****"],
    ["postgres://ada:s3cr3t@db.example/x", "postgres://ada:[redacted]@db.example/x"],
    ["--token abcdef --level 3", "--token [redacted] --level 3"],
    ["my hunter22 is here", "my [redacted] is here"],
    ["x86_64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"],
    ["/usr/lib/node_modules/Some1/Other2/Third3", "/usr/lib/node_modules/Some1/Other2/Third3"],
  ])("with %j as %j", (value, shown) => {
    expect(mask({ PLAIN: value }).variables["PLAIN"]).toBe(shown);
  });

  test("without a secret where another variable has it inside", () => {
    const { variables, masked } = mask({ DEPLOY_KEY: "swordfish", URL: "https://x.example/?q=swordfish&r=1" });
    expect(variables).toEqual({ DEPLOY_KEY: "****", URL: "https://x.example/?q=****&r=1" });
    expect(masked).toBe(2);
  });

  test("cut where it is too much, and says how much is left out", () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`V${at}`, "word ".repeat(200)]));
    const { variables, total, left_out } = mask(many);
    expect(total).toBe(200);
    expect(Object.keys(variables)).toHaveLength(200 - left_out);
    expect(left_out).toBeGreaterThan(100);
    expect(JSON.stringify(variables).length).toBeLessThan(32_000);
  });
});

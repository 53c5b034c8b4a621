import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { initialize } from "../../../engine/test/stdio/child.js";
import { Configured } from "./configured.js";

const HINT = 'Run "toolwright serve --help" for usage.';

/** How `toolwright serve` ends with this file. */
function end(content: object | string, words = "serve --http", env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = new Configured(content).run(words, env);
  expect(stdout).toBe("");
  return { status, stderr };
}

describe("a start is refused with code 2", () => {
  test("by a key that is unknown, with the nearest one", () => {
    expect(end('{\n  "limits": {\n    "callTimoutMs": 5\n  }\n}')).toEqual({
      status: 2,
      stderr: `toolwright: limits.callTimoutMs in toolwright.config.json:3 is unknown; did you mean callTimeoutMs? ${HINT}\n`,
    });
  });

  test("by a value that is wrong", () => {
    expect(end({ limits: { callTimeoutMs: "soon" } })).toEqual({
      status: 2,
      stderr: `toolwright: limits.callTimeoutMs in toolwright.config.json:1 must be a positive number, not "soon". ${HINT}\n`,
    });
  });

  test("by a file that is no JSON, with the line and the column", () => {
    expect(end('{\n  "http": {\n    "listen": true\n  }\n  "ws": true\n}')).toEqual({
      status: 2,
      stderr: `toolwright: toolwright.config.json:5:3: a comma or } must be here, not a text. ${HINT}\n`,
    });
  });

  test("by a variable that is unknown", () => {
    expect(end({}, "serve --http", { TOOLWRIGHT_LIMIT_PAGE_SIZE: "5" })).toEqual({
      status: 2,
      stderr: `toolwright: TOOLWRIGHT_LIMIT_PAGE_SIZE is unknown; did you mean TOOLWRIGHT_LIMITS_PAGE_SIZE? ${HINT}\n`,
    });
  });

  test("by a flag that is unknown", () => {
    expect(end({}, "serve --htp 80")).toEqual({
      status: 2,
      stderr: `toolwright: Unknown option --htp; did you mean --http? ${HINT}\n`,
    });
  });

  test("by all that is wrong at once", () => {
    const content = { htp: {}, limits: { pageSize: 0 } };
    expect(end(content, "serve --prot 80", { TOOLWRIGHT_STDIO: "yes" })).toEqual({
      status: 2,
      stderr: `toolwright: 4 things are wrong with the configuration:
  htp in toolwright.config.json:1 is unknown; did you mean http?
  limits.pageSize in toolwright.config.json:1 must be a whole number above 0, not 0
  TOOLWRIGHT_STDIO must be true or false, not "yes"
  Unknown option --prot
${HINT}
`,
    });
  });

  test("by half of what belongs together, wherever it stands", () => {
    expect(end({ auth: { scopes: ["read"] } })).toEqual({
      status: 2,
      stderr: `toolwright: auth.scopes in toolwright.config.json:1 needs auth.issuer or auth.apiKeyFile or auth.apiKey beside it. ${HINT}\n`,
    });
    expect(end({}, "serve --http", { TOOLWRIGHT_HTTP_TLS_CERT: "c.pem" })).toEqual({
      status: 2,
      stderr: `toolwright: TOOLWRIGHT_HTTP_TLS_CERT needs http.tls.key beside it. ${HINT}\n`,
    });
  });

  test("by what the engine finds wrong, in the words of whoever gave it", () => {
    expect(end({ http: { publicUrl: "tools" } })).toEqual({
      status: 2,
      stderr: `toolwright: Cannot serve over HTTP: http.publicUrl in toolwright.config.json:1 must be an http(s) URL. ${HINT}\n`,
    });
  });

  test("by two files at once", () => {
    const configured = new Configured();
    writeFileSync(path.join(configured.folder, "toolwright.config.jsonc"), "{}");
    const { status, stderr } = configured.run("serve");
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `toolwright: There are both toolwright.config.json and toolwright.config.jsonc; keep one of them. ${HINT}\n`,
    });
  });
});

describe("a start is refused with code 1", () => {
  test("by a file that is not there", () => {
    expect(end({}, "serve --config other.json")).toEqual({
      status: 1,
      stderr: "toolwright: Cannot read other.json (--config): there is no such file\n",
    });
    expect(end({}, "serve", { TOOLWRIGHT_CONFIG: "other.json" })).toEqual({
      status: 1,
      stderr: "toolwright: Cannot read other.json (TOOLWRIGHT_CONFIG): there is no such file\n",
    });
  });

  test("by a file that the configuration names and that is not there", () => {
    const configured = new Configured({ auth: { apiKeyFile: "keys.txt" } });
    const { status, stderr } = configured.run("serve --http 0");
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `toolwright: Cannot read ${configured.folder}/keys.txt (auth.apiKeyFile in toolwright.config.json:1): there is no such file\n`,
    });
  });

  test("by settings that a pack refuses, with the place where they stand", () => {
    const { status, stderr } = end({ packs: { basics: { colour: "blue" } } }, "serve --http 0");
    expect(status).toBe(2);
    expect(stderr).toContain("packs.basics.colour in toolwright.config.json:1 is unknown; none is expected.");
  });

  test.each([
    [
      { packs: { workstation: { biulds: true, buildTimeoutMs: 0 } } },
      {},
      [
        "packs.workstation.biulds in toolwright.config.json:1 is unknown; did you mean builds?",
        "packs.workstation.buildTimeoutMs in toolwright.config.json:1: expected an integer of at least 1, got 0",
      ],
    ],
    [
      {},
      { TOOLWRIGHT_PACKS_WORKSTATION: '{"ask":"alwys"}' },
      ['ask in TOOLWRIGHT_PACKS_WORKSTATION: expected one of "never", "irreversible", "destructive", got "alwys"'],
    ],
  ])("by settings of a pack, all of them, as %j %j", (content, env, faults) => {
    for (const words of ["serve --http 0", "config check"]) {
      const { stderr } = end(content, words, env);
      for (const fault of faults) expect(stderr).toContain(fault);
    }
  });

  test("by a pack that cannot open with its settings, with the place where they stand", () => {
    const { status, stderr } = end({ packs: { templates: { directory: "/nowhere/at/all" } } }, "serve --http 0");
    expect(status).toBe(1);
    expect(stderr).toContain(
      'Cannot open pack "templates": settings.directory: cannot open the folder /nowhere/at/all',
    );
    expect(stderr).toContain("(packs.templates in toolwright.config.json:1)\n");
  });
});

test("no fault shows a secret", () => {
  const secret = "hunter2-hunter2-hunter2";
  const content = `{ "auth": { "apiKey": ["${secret}"] }, "redact": { "values": "${secret}" } }`;
  const { stderr } = end(content, `serve --set auth.apiKey=${secret} --api-key ${secret} --token=${secret}`, {
    TOOLWRIGHT_SECRET: secret,
    TOOLWRIGHT_REDACT_VALUES: `abc,${secret}`,
  });
  expect(stderr).toContain("7 things are wrong");
  expect(stderr).not.toContain("hunter2");
  expect(end(`{ "auth": { "apiKey": ${secret} } }`).stderr).not.toContain("hunter2");
});

test("a client on stdin gets the error", async () => {
  const child = new Configured({ limits: { callTimoutMs: 5 } }).serve();
  child.send(initialize(1));
  expect(await child.answer(1)).toMatchObject({
    error: {
      message: expect.stringMatching(
        /^The server cannot start: limits\.callTimoutMs in toolwright\.config\.json:1 is unknown; did you mean callTimeoutMs\?$/,
      ) as string,
    },
  });
  expect((await child.ended).code).toBe(2);
});

test("a client gets several errors in one line", async () => {
  const child = new Configured({ limits: { callTimoutMs: 5 }, metric: true }).serve();
  child.send(initialize(1));
  expect(await child.answer(1)).toMatchObject({
    error: {
      message:
        "The server cannot start: limits.callTimoutMs in toolwright.config.json:1 is unknown; did you mean callTimeoutMs?; " +
        "metric in toolwright.config.json:1 is unknown; did you mean metrics?",
    },
  });
});

import { describe, expect, test } from "vitest";
import { resolveOptions } from "../../src/server/options.js";

const create = (options: object = {}) => resolveOptions({ name: "s", version: "1", ...options });

describe("the settings of a server", () => {
  test("have all defaults applied", () => {
    const settings = create();
    expect(settings).toMatchObject({
      info: { name: "s", version: "1" },
      instructions: undefined,
      dynamic: false,
      lifecycle: "tolerant",
      validationErrors: "result",
      errors: undefined,
      batch: "auto",
      inputAliases: true,
      directToolMethods: false,
      correctArguments: true,
      unknownArguments: "reject",
      includeServerInfo: true,
    });
    expect(settings.revisions).toHaveLength(5);
    expect(Object.keys(settings.info)).toEqual(["name", "version"]);
    expect(Object.isFrozen(settings)).toBe(true);
  });

  test.each([
    [{ dynamc: true }, "unknown option dynamc; did you mean dynamic?"],
    [{ protocol: { revision: [] } }, "unknown option protocol.revision; did you mean protocol.revisions?"],
    [
      { protocol: { listCache: { tasks: {} } } },
      /^Cannot create the server: unknown option protocol.listCache.tasks; /,
    ],
    [{ protocol: { keepAlive: { interval: 1 } } }, /unknown option protocol.keepAlive.interval; /],
    [{ toolOptions: { filtr: {} } }, "unknown option toolOptions.filtr; did you mean toolOptions.filter?"],
    [
      { toolOptions: { filter: { tool: [] } } },
      /unknown option toolOptions.filter.tool; did you mean toolOptions.filter.tools\?/,
    ],
    [{ limits: { callTimoutMs: 1 } }, "unknown option limits.callTimoutMs; did you mean limits.callTimeoutMs?"],
    [{ limits: { rate: { burts: 1 } } }, "unknown option limits.rate.burts; did you mean limits.rate.burst?"],
    [{ compat: { batches: "never" } }, "unknown option compat.batches; did you mean compat.batch?"],
    [{ tasks: { tll: 1 } }, /unknown option tasks.tll; /],
    [{ largeResults: { ttl: 1 } }, /unknown option largeResults.ttl; /],
    [{ redact: { name: [] } }, "unknown option redact.name; did you mean redact.names?"],
    [{ limits: 5 }, "limits must be an object"],
  ])("reject the unknown option in %j, with the nearest known name", (options, message) => {
    const expected = typeof message === "string" ? new TypeError(`Cannot create the server: ${message}`) : message;
    expect(() => create(options)).toThrow(expected);
  });

  test.each([
    [{ title: 5 }, "title must be a string"],
    [{ instructions: 7 }, "instructions must be a string"],
    [{ icons: "x" }, "icons must be an array"],
    [{ icons: [{}] }, "icons[0].src must be an https: or data: URI"],
    [{ middleware: [5] }, "middleware[0] must be a function"],
    [{ log: "x" }, "log must be a function"],
    [{ onCall: 5 }, "onCall must be a function"],
  ])("reject %j", (options, reason) => {
    expect(() => create(options)).toThrow(new TypeError(`Cannot create the server: ${reason}`));
  });

  test.each(["tools", "prompts", "resources", "packs", "middleware"])("reject %s that are not an array", (member) => {
    for (const given of [{}, "ab", new Set()])
      expect(() => create({ [member]: given })).toThrow(
        new TypeError(`Cannot create the server: ${member} must be an array`),
      );
  });

  test("reject a secret that is too short", () => {
    const message = "Cannot create the server: secret must have at least 16 bytes; leave it out for a random one";
    for (const secret of ["", "x".repeat(15), new Uint8Array(15), 1e20, null, Array(16).fill("x")])
      expect(() => create({ secret })).toThrow(new TypeError(message));
    for (const secret of [undefined, "x".repeat(16), new Uint8Array(16), Buffer.alloc(16)])
      expect(() => create({ secret })).not.toThrow();
  });

  test("keep the metadata of the server", () => {
    const icons = [{ src: "https://example.com/i.png" }];
    const info = { title: "T", description: "D", websiteUrl: "https://example.com", icons };
    expect(create(info).info).toEqual({ name: "s", version: "1", ...info });
  });

  test("contain the chosen revisions, newest first", () => {
    const [newest, second, ...rest] = create().revisions.map(({ version }) => version);
    const oldest = rest.at(-1);
    expect(
      create({ protocol: { revisions: [oldest, newest, second] } }).revisions.map(({ version }) => version),
    ).toEqual([newest, second, oldest]);
  });

  test.each([
    [{ name: "" }, "name must be a non-empty string"],
    [{ name: undefined }, "name must be a non-empty string"],
    [{ version: 1 }, "version must be a non-empty string"],
    [{ compat: { lifecycle: "lax" } }, "compat.lifecycle must be one of tolerant, strict, strict-ping, off, not lax"],
    [
      { compat: { validationErrors: "none" } },
      "compat.validationErrors must be one of result, by-revision, protocol, not none",
    ],
    [{ compat: { batch: true } }, "compat.batch must be one of auto, always, never, not true"],
    [{ compat: { errors: "mine" } }, "compat.errors must be an object"],
    [
      { toolOptions: { unknownArguments: "drop" } },
      "toolOptions.unknownArguments must be one of reject, allow, not drop",
    ],
    [{ protocol: { revisions: [] } }, "protocol.revisions must name at least one revision"],
    [{ protocol: { revisions: "all" } }, "protocol.revisions must be an array"],
    [{ dynamic: "yes" }, "dynamic must be true or false"],
    [{ limits: { pageSize: 0 } }, "limits.pageSize must be a positive number"],
  ])("reject %j by name", (options, reason) => {
    expect(() => create(options)).toThrow(new TypeError(`Cannot create the server: ${reason}`));
  });

  test("reject an unknown revision", () => {
    expect(() => create({ protocol: { revisions: ["next"] } })).toThrow(
      /^Cannot create the server: unknown revision next; expected one of \d{4}-\d\d-\d\d, /,
    );
  });
});

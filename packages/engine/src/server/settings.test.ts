import { describe, expect, test } from "vitest";
import { createSettings } from "./settings.js";

const create = (options: object = {}) => createSettings({ name: "s", version: "1", ...options });

describe("the settings of a server", () => {
  test("have every default in place", () => {
    const settings = create();
    expect(settings).toMatchObject({
      info: { name: "s", version: "1" },
      instructions: undefined,
      dynamic: false,
      lifecycle: "tolerant",
      validationErrors: "result",
      legacyCodes: undefined,
      batch: "auto",
      inputAliases: true,
      directToolMethods: false,
      repair: true,
      unknownArguments: "refuse",
      identify: true,
    });
    expect(settings.revisions).toHaveLength(5);
    expect(Object.keys(settings.info)).toEqual(["name", "version"]);
    expect(Object.isFrozen(settings)).toBe(true);
  });

  test("refuse an option that nobody knows, and name the nearest", () => {
    expect(() => create({ dynamc: true })).toThrow(
      new TypeError("Cannot create the server: dynamc is unknown; did you mean dynamic?"),
    );
  });

  test.each([
    [{ title: 5 }, "title must be text"],
    [{ instructions: 7 }, "instructions must be text"],
    [{ icons: "x" }, "icons must be a list"],
    [{ icons: [{}] }, "an icon's src must be an https: or data: URI"],
    [{ layers: [5] }, "each layer must be a function"],
    [{ log: "x" }, "log must be a function"],
    [{ observe: 5 }, "observe must be a function"],
  ])("refuse %j", (options, reason) => {
    expect(() => create(options)).toThrow(new TypeError(`Cannot create the server: ${reason}`));
  });

  test("bear a log that cannot say what it wants to hear", () => {
    const heard: string[] = [];
    const isOn = (): boolean => {
      throw new Error("no idea");
    };
    const { log } = create({ log: Object.assign(({ message }: { message: string }) => heard.push(message), { isOn }) });
    expect(log.isOn?.("info")).toBe(true);
    log({ level: "info", message: "heard" });
    expect(heard).toEqual(["heard"]);
  });

  test.each(["tools", "prompts", "resources", "packs", "layers", "revisions"])(
    "refuse %s that are no list",
    (member) => {
      for (const given of [{}, "ab", new Set()])
        expect(() => create({ [member]: given })).toThrow(
          new TypeError(`Cannot create the server: ${member} must be an array`),
        );
    },
  );

  test("refuse a secret that can be guessed", () => {
    const fault = "Cannot create the server: secret must have at least 16 bytes; leave it out for a random one";
    for (const secret of ["", "x".repeat(15), new Uint8Array(15), 1e20, null, Array(16).fill("x")])
      expect(() => create({ secret })).toThrow(new TypeError(fault));
    for (const secret of [undefined, "x".repeat(16), new Uint8Array(16), Buffer.alloc(16)])
      expect(() => create({ secret })).not.toThrow();
  });

  test("keep what the server says of itself, in its order", () => {
    const icons = [{ src: "https://example.com/i.png" }];
    const info = { title: "T", description: "D", websiteUrl: "https://example.com", icons };
    expect(create(info).info).toEqual({ name: "s", version: "1", ...info });
  });

  test("serve the chosen revisions, newest first, whatever order they were named in", () => {
    const [newest, second, ...rest] = create().revisions.map(({ version }) => version);
    const oldest = rest.at(-1);
    expect(create({ revisions: [oldest, newest, second] }).revisions.map(({ version }) => version)).toEqual([
      newest,
      second,
      oldest,
    ]);
  });

  test.each([
    [{ name: "" }, "name must be a non-empty string"],
    [{ name: undefined }, "name must be a non-empty string"],
    [{ version: 1 }, "version must be a non-empty string"],
    [{ lifecycle: "lax" }, "lifecycle must be one of tolerant, strict, off, not lax"],
    [{ validationErrors: "none" }, "validationErrors must be one of result, by-revision, protocol, not none"],
    [{ batch: true }, "batch must be one of auto, always, never, not true"],
    [{ legacyCodes: "mine" }, "legacyCodes must be one of paiml, rag, ancplua, not mine"],
    [{ unknownArguments: "drop" }, "unknownArguments must be one of refuse, allow, not drop"],
    [{ revisions: [] }, "revisions must name at least one"],
    [{ limits: { pageSize: 0 } }, "limits.pageSize must be a positive number"],
  ])("with %j are refused by name", (options, reason) => {
    expect(() => create(options)).toThrow(new TypeError(`Cannot create the server: ${reason}`));
  });

  test("cannot serve a revision that nobody published", () => {
    expect(() => create({ revisions: ["next"] })).toThrow(
      /^Cannot create the server: revision next is unknown; known are \d{4}-\d\d-\d\d, /,
    );
  });
});

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/jsonrpc/messages.js";
import type { Call } from "../../src/server/call.js";
import { app, supportsApps } from "../../src/server/definitions/app.js";
import { tool } from "../../src/server/definitions/tool.js";

const PAGE = "<!doctype html><title>Weather</title>";
const call = undefined as unknown as Call;
const define = (more: object) => () => app({ uri: "ui://weather/view", name: "Weather", html: PAGE, ...more });

describe("an app", () => {
  test("is a resource with the MIME type of apps and its options in _meta.ui", async () => {
    const made = app({
      uri: "ui://weather/view",
      name: "Weather",
      html: PAGE,
      csp: { connectDomains: ["https://api.example.com"], resourceDomains: [] },
      permissions: ["geolocation", "clipboardWrite"],
      domain: "weather.example.com",
      prefersBorder: false,
      meta: { "example.com/own": 1, ui: { theme: "dark" } },
    });
    const meta = {
      "example.com/own": 1,
      ui: {
        theme: "dark",
        csp: { connectDomains: ["https://api.example.com"], resourceDomains: [] },
        permissions: { geolocation: {}, clipboardWrite: {} },
        domain: "weather.example.com",
        prefersBorder: false,
      },
    };
    expect(made).toMatchObject({ uri: "ui://weather/view", mimeType: "text/html;profile=mcp-app", meta });
    expect(Object.keys(made).toSorted()).toEqual(["meta", "mimeType", "name", "read", "uri"]);
    expect(await made.read(call)).toEqual({ text: PAGE, meta });
  });

  test("without options has no _meta", async () => {
    const made = define({})();
    expect(made.meta).toBeUndefined();
    expect(await made.read(call)).toEqual({ text: PAGE });
  });

  test("may create its page when it is read", async () => {
    const made = define({ html: async () => `\n<!DOCTYPE HTML><p>made</p>` })();
    expect(await made.read(call)).toEqual({ text: "\n<!DOCTYPE HTML><p>made</p>" });
  });

  test("whose function returns no HTML document fails with the reason", async () => {
    await expect(define({ html: () => "<p>half</p>" })().read(call)).rejects.toThrow(
      new TypeError('The html of app "ui://weather/view" must start with <!doctype html>'),
    );
  });

  test.each([
    [{ uri: "https://example.com" }, 'Cannot define app "https://example.com": uri must be a ui:// URI'],
    [{ html: "<p>half</p>" }, 'Cannot define app "ui://weather/view": html must start with <!doctype html>'],
    [{ html: undefined }, 'Cannot define app "ui://weather/view": html must start with <!doctype html>'],
    [
      { csp: { connectDomains: "https://a.example" } },
      'Cannot define app "ui://weather/view": csp.connectDomains must be an array of origins',
    ],
    [
      { csp: { connectDomain: [] } },
      'Cannot define app "ui://weather/view": unknown option csp.connectDomain; did you mean csp.connectDomains?',
    ],
    [
      { permissions: ["camra"] },
      'Cannot define app "ui://weather/view": permissions must be an array of camera, microphone, geolocation, clipboardWrite',
    ],
    [{ name: "" }, 'Cannot define app "ui://weather/view": name is missing'],
  ])("with %j is rejected by name", (more, reason) => {
    expect(define(more)).toThrow(new TypeError(reason));
  });
});

describe("the ui of a tool", () => {
  const shown = (ui: object) => () => tool({ name: "t", description: "d", ui, run: () => "" });

  test.each([{ resource: "ui://a" }, { visibility: ["app"] }, { resource: "ui://a", visibility: ["model", "app"] }])(
    "may be %j",
    (ui) => {
      expect(shown(ui)).not.toThrow();
    },
  );

  test.each([
    [{}, 'Cannot define tool "t": ui is empty; set ui.resource'],
    [{ resource: "https://example.com" }, 'Cannot define tool "t": ui.resource must be a ui:// URI'],
    [{ resource: 7 }, 'Cannot define tool "t": ui.resource must be a ui:// URI'],
    [{ visibility: [] }, 'Cannot define tool "t": ui.visibility must be an array of "model", "app" or both'],
    [{ visibility: ["user"] }, 'Cannot define tool "t": ui.visibility must be an array of "model", "app" or both'],
    [
      { resource: "ui://a", csp: {} },
      'Cannot define tool "t": unknown option ui.csp; expected one of resource, visibility',
    ],
  ])("is rejected if it is %j", (ui, reason) => {
    expect(shown(ui)).toThrow(new TypeError(reason));
  });
});

test.each<[JsonObject, boolean]>([
  [{}, false],
  [{ extensions: {} }, false],
  [{ extensions: { "io.modelcontextprotocol/ui": {} } }, false],
  [{ extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } } }, false],
  [{ extensions: { "io.modelcontextprotocol/ui": { mimeTypes: "text/html;profile=mcp-app" } } }, false],
  [{ extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/plain", "text/html;profile=mcp-app"] } } }, true],
])("a client that declares %j supports apps: %j", (capabilities, shows) => {
  expect(supportsApps(capabilities)).toBe(shows);
});

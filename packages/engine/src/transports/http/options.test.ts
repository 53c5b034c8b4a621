import { describe, expect, test } from "vitest";
import { createEndpointSettings, type EndpointOptions } from "./options.js";

describe("the options of an endpoint", () => {
  test("have defaults", () => {
    expect(createEndpointSettings({})).toMatchObject({
      path: "/mcp",
      publicUrl: undefined,
      allowedHosts: [],
      allowedOrigins: [],
      hasSessions: true,
      store: undefined,
      sse: undefined,
      rate: { burst: 1000, perSecond: 100 },
      pollAfterMs: Number.POSITIVE_INFINITY,
      limits: { connections: 4096, sessions: 10_000, streams: 4096, sessionIdleMs: 1_800_000 },
    });
  });

  test("are read in all their forms", () => {
    expect(createEndpointSettings({ sse: true }).sse).toEqual({ path: "/sse", messagePath: "/messages", prefix: "" });
    expect(createEndpointSettings({ sse: { path: "/a" } }).sse).toEqual({
      path: "/a",
      messagePath: "/messages",
      prefix: "",
    });
    expect(createEndpointSettings({ sse: false }).sse).toBeUndefined();
    expect(createEndpointSettings({ sessions: false }).hasSessions).toBe(false);
    expect(createEndpointSettings({ sessions: {} })).toMatchObject({ hasSessions: true, store: undefined });
    expect(createEndpointSettings({ rate: false }).rate).toBeUndefined();
    expect(createEndpointSettings({ publicUrl: "https://x.example/mcp/" }).publicUrl).toBe("https://x.example/mcp");
    expect(createEndpointSettings({ allowedHosts: ["Mcp.Example"] }).allowedHosts).toEqual(["mcp.example"]);
    expect(createEndpointSettings({ allowedHosts: ["*", "A.example:81", "[::1]"] }).allowedHosts).toEqual([
      "*",
      "a.example:81",
      "[::1]",
    ]);
    const allowedOrigins = ["*", "null", "https://a.example/", "HTTPS://B.EXAMPLE:443", "chrome-extension://abc/"];
    expect(createEndpointSettings({ allowedOrigins }).allowedOrigins).toEqual([
      "*",
      "null",
      "https://a.example",
      "https://b.example",
      "chrome-extension://abc",
    ]);
    expect(createEndpointSettings({ path: "/mü/x" }).path).toBe("/m%C3%BC/x");
    expect(createEndpointSettings({ path: "/a//b/../c" }).path).toBe("/a//c");
    expect(createEndpointSettings({ pollAfterMs: 1e15 }).pollAfterMs).toBe(Number.POSITIVE_INFINITY);
    expect(createEndpointSettings({ limits: { sessionIdleMs: 1e15 } }).limits.sessionIdleMs).toBe(2 ** 31 - 1);
  });

  test.each<[EndpointOptions, string]>([
    [{ path: "mcp" }, "path must begin with / and have neither ? nor #"],
    [{ path: "/mcp?x" }, "path must begin with / and have neither ? nor #"],
    [{ sse: { path: "sse" } }, "sse.path must begin with /"],
    [{ publicUrl: "mcp.example" }, "publicUrl must be an http(s) URL"],
    [{ publicUrl: "ftp://mcp.example" }, "publicUrl must be an http(s) URL"],
    [{ publicUrl: "https://mcp.example?x" }, "publicUrl must have neither ? nor #"],
    [{ path: "/health" }, "path is /health, where something else is served"],
    [{ sse: { path: "/mcp" } }, "sse.path is /mcp, where something else is served"],
    [{ sse: { messagePath: "/sse" } }, "sse.messagePath is /sse, where something else is served"],
    [{ sse: true, metrics: { path: "/sse" } }, "metrics.path is /sse, where something else is served"],
    [{ sse: { paht: "/a" } as never }, "sse: paht is unknown; did you mean path?"],
    [{ sessions: { stoer: 1 } as never }, "sessions: stoer is unknown; did you mean store?"],
    [{ allowedHosts: [""] }, 'allowedHosts has ""; write it like tools.example'],
    [{ allowedHosts: [1 as never] }, "allowedHosts has 1; write it like tools.example"],
    [{ allowedHosts: ["https://tools.example"] }, 'allowedHosts has "https://tools.example"; write it like'],
    [{ allowedHosts: ["*.example"] }, 'allowedHosts has "*.example"; write it like'],
    [{ allowedOrigins: "x" as never }, "allowedOrigins must be a list of names"],
    [{ allowedOrigins: ["app.example"] }, 'allowedOrigins has "app.example"; write it like https://app.example'],
    [{ allowedOrigins: ["https://a.example:99999"] }, 'allowedOrigins has "https://a.example:99999"; write it like'],
    [{ allowedOrigins: [5 as never] }, "allowedOrigins has 5; write it like"],
    [{ allowedOrigins: ["localhost:80"] }, 'allowedOrigins has "localhost:80"; write it like'],
    [{ allowedOrigins: ["https://app.example/page"] }, 'allowedOrigins has "https://app.example/page"; write it like'],
    [{ allowedOrigins: ["https://*.example"] }, 'allowedOrigins has "https://*.example"; write it like'],
    [{ rate: { burst: 0, perSecond: 1 } }, "rate needs burst of at least 1 and perSecond above 0"],
    [{ rate: { burst: 1, perSecond: 0 } }, "rate needs burst of at least 1 and perSecond above 0"],
    [{ rate: null as never }, "rate needs burst of at least 1 and perSecond above 0"],
    [{ sessions: null as never }, "sessions must be an object"],
    [{ sessions: { store: {} as never } }, "sessions.store needs save, find, delete, append, eventsAfter"],
    [{ sse: "yes" as never }, "sse must be an object"],
    [{ limits: null as never }, "limits must be an object"],
    [{ pages: {} as never }, "pages needs isAt, serve"],
    [{ pollAfterMs: 0 }, "pollAfterMs must be a positive number"],
    [{ pollAfterMs: "5" as never }, "pollAfterMs must be a positive number"],
    [{ limits: { sessions: 0 } }, "limits.sessions must be a positive number"],
    [{ limits: { nope: 1 } as never }, "limits.nope is unknown"],
    [{ hots: "x" } as never, "hots is unknown"],
  ])("refuse %j", (options, message) => {
    expect(() => createEndpointSettings(options)).toThrow(`Cannot serve over HTTP: ${message}`);
  });
});

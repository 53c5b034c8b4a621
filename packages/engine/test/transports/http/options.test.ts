import { describe, expect, test } from "vitest";
import { type EndpointOptions, resolveEndpointOptions } from "../../../src/transports/http/options.js";

describe("the options of an endpoint", () => {
  test("have defaults", () => {
    expect(resolveEndpointOptions({})).toMatchObject({
      path: "/mcp",
      publicUrl: undefined,
      allowedHosts: [],
      allowedOrigins: [],
      hasSessions: true,
      sessionStore: undefined,
      sse: undefined,
      rate: { burst: 1000, perSecond: 100 },
      pollAfterMs: Number.POSITIVE_INFINITY,
      limits: { connections: 4096, sessions: 10_000, streams: 4096, sessionIdleMs: 1_800_000 },
    });
  });

  test("are parsed in all their forms", () => {
    expect(resolveEndpointOptions({ sse: true }).sse).toEqual({
      path: "/sse",
      messagePath: "/messages",
      publicPrefix: "",
    });
    expect(resolveEndpointOptions({ sse: { path: "/a" } }).sse).toEqual({
      path: "/a",
      messagePath: "/messages",
      publicPrefix: "",
    });
    expect(resolveEndpointOptions({ sse: false }).sse).toBeUndefined();
    expect(resolveEndpointOptions({ sessions: false }).hasSessions).toBe(false);
    expect(resolveEndpointOptions({ sessions: {} })).toMatchObject({ hasSessions: true, sessionStore: undefined });
    expect(resolveEndpointOptions({ rate: false }).rate).toBeUndefined();
    expect(resolveEndpointOptions({ publicUrl: "https://x.example/mcp/" }).publicUrl).toBe("https://x.example/mcp");
    expect(resolveEndpointOptions({ allowedHosts: ["Mcp.Example"] }).allowedHosts).toEqual(["mcp.example"]);
    expect(resolveEndpointOptions({ allowedHosts: ["*", "A.example:81", "[::1]"] }).allowedHosts).toEqual([
      "*",
      "a.example:81",
      "[::1]",
    ]);
    const allowedOrigins = ["*", "null", "https://a.example/", "HTTPS://B.EXAMPLE:443", "chrome-extension://abc/"];
    expect(resolveEndpointOptions({ allowedOrigins }).allowedOrigins).toEqual([
      "*",
      "null",
      "https://a.example",
      "https://b.example",
      "chrome-extension://abc",
    ]);
    expect(resolveEndpointOptions({ path: "/mü/x" }).path).toBe("/m%C3%BC/x");
    expect(resolveEndpointOptions({ path: "/a//b/../c" }).path).toBe("/a//c");
    expect(resolveEndpointOptions({ pollAfterMs: 1e15 }).pollAfterMs).toBe(Number.POSITIVE_INFINITY);
    expect(resolveEndpointOptions({ limits: { sessionIdleMs: 1e15 } }).limits.sessionIdleMs).toBe(2 ** 31 - 1);
  });

  test.each<[EndpointOptions, string]>([
    [{ path: "mcp" }, "path must start with / and contain neither ? nor #"],
    [{ path: "/mcp?x" }, "path must start with / and contain neither ? nor #"],
    [{ sse: { path: "sse" } }, "sse.path must start with /"],
    [{ publicUrl: "mcp.example" }, "publicUrl must be an http(s) URL"],
    [{ publicUrl: "ftp://mcp.example" }, "publicUrl must be an http(s) URL"],
    [{ publicUrl: "https://mcp.example?x" }, "publicUrl must contain neither ? nor #"],
    [{ path: "/health" }, "path is /health, which is already in use"],
    [{ sse: { path: "/mcp" } }, "sse.path is /mcp, which is already in use"],
    [{ sse: { messagePath: "/sse" } }, "sse.messagePath is /sse, which is already in use"],
    [{ sse: true, metrics: { path: "/sse" } }, "metrics.path is /sse, which is already in use"],
    [{ sse: { paht: "/a" } as never }, "unknown option sse.paht; did you mean sse.path?"],
    [{ sessions: { stoer: 1 } as never }, "unknown option sessions.stoer; did you mean sessions.store?"],
    [{ metrics: { paht: "/a" } as never }, "unknown option metrics.paht; did you mean metrics.path?"],
    [{ rate: { burst: 1, perSecnod: 1 } as never }, "unknown option rate.perSecnod; did you mean rate.perSecond?"],
    [{ allowedHosts: [""] }, 'allowedHosts has ""; use a value like tools.example'],
    [{ allowedHosts: [1 as never] }, "allowedHosts has 1; use a value like tools.example"],
    [{ allowedHosts: ["https://tools.example"] }, 'allowedHosts has "https://tools.example"; use a value like'],
    [{ allowedHosts: ["*.example"] }, 'allowedHosts has "*.example"; use a value like'],
    [{ allowedOrigins: "x" as never }, "allowedOrigins must be a list of names"],
    [{ allowedOrigins: ["app.example"] }, 'allowedOrigins has "app.example"; use a value like https://app.example'],
    [{ allowedOrigins: ["https://a.example:99999"] }, 'allowedOrigins has "https://a.example:99999"; use a value like'],
    [{ allowedOrigins: [5 as never] }, "allowedOrigins has 5; use a value like"],
    [{ allowedOrigins: ["localhost:80"] }, 'allowedOrigins has "localhost:80"; use a value like'],
    [
      { allowedOrigins: ["https://app.example/page"] },
      'allowedOrigins has "https://app.example/page"; use a value like',
    ],
    [{ allowedOrigins: ["https://*.example"] }, 'allowedOrigins has "https://*.example"; use a value like'],
    [{ rate: { burst: 0, perSecond: 1 } }, "rate needs burst of at least 1 and perSecond above 0"],
    [{ rate: { burst: 1, perSecond: 0 } }, "rate needs burst of at least 1 and perSecond above 0"],
    [{ sessions: { store: {} as never } }, "sessions.store needs save, find, delete, append, eventsAfter"],
    [{ pages: {} as never }, "pages needs matches, serve"],
    [{ rate: null as never }, "rate must be an object"],
    [{ sessions: 5 as never }, "sessions must be an object"],
    [{ sse: "yes" as never }, "sse must be an object"],
    [{ limits: null as never }, "limits must be an object"],
    [{ pollAfterMs: 0 }, "pollAfterMs must be a positive number"],
    [{ pollAfterMs: "5" as never }, "pollAfterMs must be a positive number"],
    [{ limits: { sessions: 0 } }, "limits.sessions must be a positive number"],
    [{ limits: { nope: 1 } as never }, "unknown option limits.nope"],
    [{ hots: "x" } as never, "unknown option hots"],
  ])("reject %j", (options, message) => {
    expect(() => resolveEndpointOptions(options)).toThrow(`Cannot serve over HTTP: ${message}`);
  });
});

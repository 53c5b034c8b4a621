import { describe, expect, test } from "vitest";
import type { RequestHead } from "../../../../src/transports/http/auth/options.js";
import {
  audiencesOf,
  describedPath,
  resourceUriOf,
  toCanonicalUri,
  wellKnownUrl,
} from "../../../../src/transports/http/auth/resource.js";

const toolScopes = () => [];
const requestTo = (host: string | undefined, isSecure = false): RequestHead => ({
  method: "POST",
  path: "/mcp",
  query: "",
  remoteAddress: undefined,
  isSecure,
  header: (name) => (name === "host" ? host : undefined),
});

describe("a URI", () => {
  test.each([
    ["HTTPS://MCP.Example.COM/Mcp/", "https://mcp.example.com/Mcp"],
    ["https://mcp.example.com:443/", "https://mcp.example.com"],
    ["https://mcp.example.com", "https://mcp.example.com"],
    ["https://mcp.example.com/a#part", "https://mcp.example.com/a"],
    ["http://localhost:3000/mcp?tenant=1", "http://localhost:3000/mcp?tenant=1"],
    ["api://Default/", "api://Default/"],
    ["my-api", "my-api"],
    ["https://", "https://"],
  ])("%s is normalized to %s [AUTH-13]", (uri, canonical) => {
    expect(toCanonicalUri(uri)).toBe(canonical);
  });
});

describe("the audience", () => {
  test("is the configured one, else the public URL, else the loopback URLs with the port", () => {
    const location = { path: "/mcp", publicUrl: "https://A.example", toolScopes };
    expect(audiencesOf(["HTTPS://B.example/x/", "my-api"], location)).toEqual(["https://b.example/x", "my-api"]);
    expect(audiencesOf([], location)).toEqual(["https://a.example/mcp"]);
    expect(audiencesOf([], { ...location, publicUrl: "https://a.example/deep/mcp/" })).toEqual([
      "https://a.example/deep/mcp",
    ]);
    expect(audiencesOf([], { path: "/mcp", localPort: () => 81, toolScopes })).toEqual([
      "http://localhost:81/mcp",
      "https://localhost:81/mcp",
      "http://127.0.0.1:81/mcp",
      "https://127.0.0.1:81/mcp",
      "http://[::1]:81/mcp",
      "https://[::1]:81/mcp",
    ]);
    const sse = { path: "/sse", messagePath: "/messages", publicPrefix: "/deep" };
    expect(audiencesOf([], { ...location, publicUrl: "https://a.example/deep/mcp", sse })).toEqual([
      "https://a.example/deep/mcp",
      "https://a.example/deep/sse",
    ]);
    expect(audiencesOf([], { path: "/mcp", sse, localPort: () => 81, toolScopes }).slice(5, 7)).toEqual([
      "https://[::1]:81/mcp",
      "http://localhost:81/sse",
    ]);
    expect(audiencesOf(["my-api"], { ...location, sse })).toEqual(["my-api"]);
    expect(audiencesOf([], { path: "/mcp", localPort: () => undefined, toolScopes })).toEqual([]);
  });
});

describe("the resource", () => {
  const location = { path: "/mcp", toolScopes };

  test("is the URL that the client connects to, unless a public URL is configured", () => {
    expect(resourceUriOf(requestTo("LocalHost:3000"), location, [])).toBe("http://localhost:3000/mcp");
    expect(resourceUriOf(requestTo("a.example", true), location, ["my-api"])).toBe("https://a.example/mcp");
    expect(resourceUriOf(requestTo("a.example"), { ...location, publicUrl: "https://b.example" }, [])).toBe(
      "https://b.example/mcp",
    );
  });

  test("is an audience on the same host, which has the public scheme behind a proxy", () => {
    expect(resourceUriOf(requestTo("a.example"), location, ["https://b.example/mcp", "https://a.example/mcp"])).toBe(
      "https://a.example/mcp",
    );
    expect(resourceUriOf(requestTo("a.example"), location, ["https://b.example/mcp"])).toBe("http://a.example/mcp");
  });

  test("is the audience with the requested path if there are several on the host", () => {
    const both = ["https://a.example/mcp", "https://a.example/sse"];
    expect(resourceUriOf(requestTo("a.example"), location, both, "/sse")).toBe("https://a.example/sse");
    expect(resourceUriOf(requestTo("a.example"), location, both)).toBe("https://a.example/mcp");
    expect(resourceUriOf(requestTo("a.example"), location, ["https://a.example"], "/sse")).toBe("https://a.example");
  });

  test.each([undefined, "", 'a" x', "a b", "a/b", "a?b", "a#b", "a@b"])("is localhost if the host is %j", (host) => {
    expect(resourceUriOf(requestTo(host), location, [])).toBe("http://localhost/mcp");
  });
});

describe("well-known documents", () => {
  test("are inserted before the path, appended to it, or at the root", () => {
    expect(describedPath("x", "/.well-known/x/mcp")).toBe("/mcp");
    expect(describedPath("x", "/mcp/.well-known/x")).toBe("/mcp");
    expect(describedPath("x", "/.well-known/x")).toBe("");
    expect(describedPath("x", "/.well-known/x/")).toBe("");
    expect(describedPath("x", "/.well-known/y")).toBeUndefined();
    expect(describedPath("x", "/mcp")).toBeUndefined();
    expect(wellKnownUrl("x", "https://a.example/deep/mcp/")).toBe("https://a.example/.well-known/x/deep/mcp");
    expect(wellKnownUrl("x", "https://a.example")).toBe("https://a.example/.well-known/x");
  });
});

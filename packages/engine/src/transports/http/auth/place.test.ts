import { describe, expect, test } from "vitest";
import type { RequestHead } from "./options.js";
import { audiencesOf, isLocalName, resourceOf, toCanonicalUri, wellKnownPaths, wellKnownUrl } from "./place.js";

const toolScopes = () => [];
const requestTo = (host: string | undefined, isSecure = false): RequestHead => ({
  method: "POST",
  path: "/mcp",
  query: "",
  peer: undefined,
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
  ])("%s is written %s [AUTH-13]", (uri, canonical) => {
    expect(toCanonicalUri(uri)).toBe(canonical);
  });
});

describe("the audience", () => {
  test("is what was given, else the public URL, else the names of this machine with the port", () => {
    const place = { path: "/mcp", publicUrl: "https://A.example", toolScopes };
    expect(audiencesOf(["HTTPS://B.example/x/", "my-api"], place)).toEqual(["https://b.example/x", "my-api"]);
    expect(audiencesOf([], place)).toEqual(["https://a.example/mcp"]);
    expect(audiencesOf([], { ...place, publicUrl: "https://a.example/deep/mcp/" })).toEqual([
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
    const sse = { path: "/sse", messagePath: "/messages", prefix: "/deep" };
    expect(audiencesOf([], { ...place, publicUrl: "https://a.example/deep/mcp", sse })).toEqual([
      "https://a.example/deep/mcp",
      "https://a.example/deep/sse",
    ]);
    expect(audiencesOf([], { path: "/mcp", sse, localPort: () => 81, toolScopes }).slice(5, 7)).toEqual([
      "https://[::1]:81/mcp",
      "http://localhost:81/sse",
    ]);
    expect(audiencesOf(["my-api"], { ...place, sse })).toEqual(["my-api"]);
    expect(audiencesOf([], { path: "/mcp", localPort: () => undefined, toolScopes })).toEqual([]);
  });
});

describe("the resource", () => {
  const place = { path: "/mcp", toolScopes };

  test("is what the client connects to, unless a public URL is given", () => {
    expect(resourceOf(requestTo("LocalHost:3000"), place, [])).toBe("http://localhost:3000/mcp");
    expect(resourceOf(requestTo("a.example", true), place, ["my-api"])).toBe("https://a.example/mcp");
    expect(resourceOf(requestTo("a.example"), { ...place, publicUrl: "https://b.example" }, [])).toBe(
      "https://b.example/mcp",
    );
  });

  test("is an audience on the same host, which has the scheme that a proxy hides", () => {
    expect(resourceOf(requestTo("a.example"), place, ["https://b.example/mcp", "https://a.example/mcp"])).toBe(
      "https://a.example/mcp",
    );
    expect(resourceOf(requestTo("a.example"), place, ["https://b.example/mcp"])).toBe("http://a.example/mcp");
  });

  test("is the audience for the path that is asked for, where there are several on the host", () => {
    const both = ["https://a.example/mcp", "https://a.example/sse"];
    expect(resourceOf(requestTo("a.example"), place, both, "/sse")).toBe("https://a.example/sse");
    expect(resourceOf(requestTo("a.example"), place, both)).toBe("https://a.example/mcp");
    expect(resourceOf(requestTo("a.example"), place, ["https://a.example"], "/sse")).toBe("https://a.example");
  });

  test.each([undefined, "", 'a" x', "a b", "a/b", "a?b", "a#b", "a@b"])("is local where the host is %j", (host) => {
    expect(resourceOf(requestTo(host), place, [])).toBe("http://localhost/mcp");
  });
});

describe("well-known documents", () => {
  test("are inserted before the path, appended to it, and at the root", () => {
    expect(wellKnownPaths("oauth-protected-resource", ["/mcp"])).toEqual([
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/mcp/.well-known/oauth-protected-resource",
    ]);
    expect(new Set(wellKnownPaths("x", ["/"]))).toEqual(new Set(["/.well-known/x"]));
    expect(wellKnownUrl("x", "https://a.example/deep/mcp/")).toBe("https://a.example/.well-known/x/deep/mcp");
    expect(wellKnownUrl("x", "https://a.example")).toBe("https://a.example/.well-known/x");
  });
});

describe("a name", () => {
  test.each([
    ["localhost", true],
    ["app.localhost", true],
    ["127.0.0.1", true],
    ["127.9.9.9", true],
    ["[::1]", true],
    ["127.0.0.1.evil.example", false],
    ["localhost.evil.example", false],
    ["10.0.0.1", false],
  ])("%s means this machine: %j", (name, isLocal) => {
    expect(isLocalName(name)).toBe(isLocal);
  });
});

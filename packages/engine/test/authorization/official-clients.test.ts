import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { App } from "./app.js";
import { call, serveGuarded } from "./protected-server.js";
import { openProvider, type RealProvider, resourceServer } from "./provider.js";

const info = { name: "test", version: "1.0.0" };
type Fetch = typeof fetch;

/** An official client, as far as the tests need it. */
interface Connection {
  call(name: string): Promise<string>;
  /** Goes back to where the user was sent away from. */
  finish(came: URLSearchParams): Promise<void>;
  close(): Promise<void>;
}

interface Official {
  readonly name: string;
  connect(url: string, app: App, fetchFn?: Fetch): Connection & { opened: Promise<void> };
}

const saidBy = (result: unknown) => (result as { content: [{ text: string }] }).content[0].text;

const version1: Official = {
  name: "sdk 1.32",
  connect(url, app, fetchFn = fetch) {
    const client = new ClientV1(info);
    const transport = new TransportV1(new URL(url), { authProvider: app, fetch: fetchFn });
    return {
      opened: client.connect(transport),
      call: async (name) => saidBy(await client.callTool({ name })),
      finish: (came) => transport.finishAuth(came.get("code") ?? ""),
      close: () => client.close(),
    };
  },
};

const overSse: Official = {
  name: "sdk 1.32 over HTTP+SSE",
  connect(url, app) {
    const client = new ClientV1(info);
    const transport = new SSEClientTransport(new URL(url), { authProvider: app });
    return {
      opened: client.connect(transport),
      call: async (name) => saidBy(await client.callTool({ name })),
      finish: (came) => transport.finishAuth(came.get("code") ?? ""),
      close: () => client.close(),
    };
  },
};

const version2 = (mode: "legacy" | { pin: string }): Official => ({
  name: `client 2.4 ${typeof mode === "string" ? mode : mode.pin}`,
  connect(url, app, fetchFn = fetch) {
    const client = new ClientV2(info, { versionNegotiation: { mode } });
    const transport = new TransportV2(new URL(url), { authProvider: app, fetch: fetchFn });
    return {
      opened: client.connect(transport),
      call: async (name) => saidBy(await client.callTool({ name })),
      finish: (came) => transport.finishAuth(came),
      close: () => client.close(),
    };
  },
});

let provider: RealProvider;
beforeEach(async () => {
  provider = await openProvider();
});
afterEach(async () => {
  vi.useRealTimers();
  await provider.stop();
});

/** Serves with the provider's tokens, which are made for the URL of the server itself. */
async function serve(scopes: readonly string[]): Promise<string> {
  const { url } = await serveGuarded({ issuer: provider.issuer, scopes });
  provider.resources.add(url);
  return url;
}

/** Connects, is sent to the authorization server, and connects again. */
async function logIn(official: Official, url: string, app: App, fetchFn?: Fetch): Promise<Connection> {
  const first = official.connect(url, app, fetchFn);
  await expect(first.opened).rejects.toThrow(/unauthorized/i);
  await first.finish(await app.visit());
  await first.close();
  return reconnect(official, url, app, fetchFn);
}

async function reconnect(official: Official, url: string, app: App, fetchFn?: Fetch): Promise<Connection> {
  const connection = official.connect(url, app, fetchFn);
  await connection.opened;
  onTestFinished(() => connection.close());
  return connection;
}

describe.each(
  [version1, version2("legacy"), version2({ pin: "2026-07-28" })].map((official) => [official.name, official] as const),
)("%s against a real authorization server", (_name, official) => {
  test("discovers it, registers, gets a token for this server, and is served [AUTH-01 AUTH-03]", async () => {
    const url = await serve(["read"]);
    const app = new App("ada");
    const client = await logIn(official, url, app);
    expect(await client.call("whoami")).toBe("ada");
    expect(app.asked).toEqual([["read"]]);
  });

  test("requests more scopes when a tool requires them, and is served then [AUTH-05 HST-17]", async () => {
    const url = await serve(["read"]);
    const app = new App("ada");
    const client = await logIn(official, url, app);
    app.forgetRefreshToken();
    await expect(client.call("wipe")).rejects.toThrow();
    expect(app.asked.at(-1)).toEqual(["read", "wipe", "write"]);
    await client.finish(await app.visit());
    const again = await reconnect(official, url, app);
    expect(await again.call("wipe")).toBe("wiped");
    expect(await again.call("write")).toBe("written");
  });

  test("refreshes an expired token without user interaction", async () => {
    const url = await serve(["read"]);
    const app = new App("ada");
    provider.tokenSeconds = 60;
    const client = await logIn(official, url, app);
    const expired = app.tokens()?.access_token;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
    expect(await client.call("whoami")).toBe("ada");
    expect(app.tokens()?.access_token).not.toBe(expired);
    expect(app.asked).toHaveLength(1);
  });
});

describe("a client of HTTP+SSE against a real authorization server", () => {
  test("gets a token for the URL that it connects to, and is served [AUTH-02 AUTH-03]", async () => {
    const { url, origin } = await serveGuarded({ issuer: provider.issuer, scopes: ["read"] }, { sse: true });
    provider.resources.add(`${origin}/sse`);
    const app = new App("ada");
    const client = await logIn(overSse, `${origin}/sse`, app);
    expect(await client.call("whoami")).toBe("ada");
    expect(await call(url, `Bearer ${app.tokens()?.access_token}`)).toMatchObject({ status: 200, said: "ada" });
  });
});

/** A client of a time before the metadata of resources: it looks for the authorization server where the server itself is. */
const withoutResourceMetadata: Fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.pathname.includes("oauth-protected-resource")) return new Response(null, { status: 404 });
  return fetch(input, init);
};

describe("a client without protected resource metadata", () => {
  test("finds the authorization server at the server's own URL [AUTH-14]", async () => {
    const url = await serve(["read"]);
    const client = await logIn(version1, url, new App("ada"), withoutResourceMetadata);
    expect(await client.call("whoami")).toBe("ada");
  });
});

describe("tokens of a real authorization server", () => {
  test("for one server are rejected by another [AUTH-09]", async () => {
    const [mine, other] = [await serve([]), await serve([])];
    const app = new App("ada");
    await logIn(version1, mine, app);
    const authorization = `Bearer ${app.tokens()?.access_token}`;
    expect(await call(mine, authorization)).toMatchObject({ status: 200, said: "ada" });
    expect(await call(other, authorization)).toMatchObject({
      status: 401,
      said: expect.stringContaining("The token is not meant for this server") as string,
    });
  });

  test("that are opaque are introspected", async () => {
    await provider.stop();
    provider = await openProvider("opaque");
    const { url } = await serveGuarded({ issuer: provider.issuer, scopes: ["read"], introspection: resourceServer });
    provider.resources.add(url);
    const app = new App("ada");
    const client = await logIn(version1, url, app);
    expect(app.tokens()?.access_token).not.toContain(".");
    expect(await client.call("whoami")).toBe("ada");
    expect(await call(url, "Bearer no-such-token")).toMatchObject({
      status: 401,
      said: "The token is not active.",
    });
  });
});

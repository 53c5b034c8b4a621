import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkDiscovery } from "./check-discovery.js";

/** A server that answers in a certain way, and is its own issuer. */
async function open(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const pages: Record<string, object> = {
      "/.well-known/oauth-authorization-server": {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        code_challenge_methods_supported: ["S256"],
      },
      "/keys": { keys: [{ kty: "EC" }] },
    };
    const page = pages[request.url ?? ""];
    if (page === undefined) answer(request, response);
    else response.end(JSON.stringify(page));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Refuses with a challenge that names the metadata, and answers with these. */
const refusing =
  (
    metadata: (origin: string) => unknown,
    challenge = 'Bearer resource_metadata="ORIGIN/.well-known/x"',
  ): RequestListener =>
  (request, response) => {
    const origin = `http://${request.headers.host}`;
    if (request.method === "GET") response.end(JSON.stringify(metadata(origin)));
    else response.writeHead(401, { "www-authenticate": challenge.replace("ORIGIN", origin) }).end();
  };

const faults = async (origin: string, publicUrl?: string) =>
  (await checkDiscovery(`${origin}/mcp`, { issuer: origin }, publicUrl)).map(({ fault }) => fault);

const right = (origin: string) => ({ resource: `${origin}/mcp`, authorization_servers: [origin] });

describe("the check of a running server", () => {
  test("finds nothing where all is well, also for a resource above the endpoint", async () => {
    const origin = await open(refusing(right));
    expect(await faults(origin)).toEqual([]);
    const above = await open(refusing((own) => ({ ...right(own), resource: own })));
    expect(await faults(above)).toEqual([]);
  });

  test.each([
    [200, "A request without a token is answered with 200 instead of 401."],
    [404, "A request without a token is answered with 404 instead of 401."],
    [403, "A client that connects to ORIGIN/mcp is refused with 403."],
  ])("names an answer of %d", async (status, fault) => {
    const origin = await open((_request, response) => response.writeHead(status).end());
    expect(await faults(origin)).toEqual([fault.replace("ORIGIN", origin)]);
  });

  test("names a challenge that somebody took away", async () => {
    const origin = await open(refusing(right, "Bearer"));
    expect(await faults(origin)).toEqual(["The 401 answer has no resource_metadata in WWW-Authenticate (Bearer)."]);
  });

  test("names metadata that are not there, or about something else", async () => {
    const nowhere = await open((_request, response) =>
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${nowhere}/x"` }).end(),
    );
    expect(await faults(nowhere)).toEqual([`The metadata of the server are not at ${nowhere}/x (status 401).`]);
    const other = await open(refusing(() => ({ resource: "https://a.example/mcp", authorization_servers: [] })));
    expect(await faults(other)).toEqual([
      `The metadata are about "https://a.example/mcp", while clients connect to ${other}/mcp: they will give up.`,
      `The metadata at ${other}/.well-known/x do not name the issuer ${other}.`,
    ]);
    const alike = await open(refusing((own) => ({ ...right(own), resource: `${own}/mc` })));
    expect(await faults(alike)).toHaveLength(1);
  });

  test("goes to the server that runs here, under the name that clients use", async () => {
    const hosts: (string | undefined)[] = [];
    const origin = await open((request, response) => {
      hosts.push(request.headers.host);
      refusing(() => ({ resource: "https://mcp.example/mcp", authorization_servers: [origin] }))(request, response);
    });
    expect(await faults(origin, "https://mcp.example")).toEqual([]);
    expect(hosts).toEqual(["mcp.example", "mcp.example"]);
  });

  test("names a server that cannot be reached", async () => {
    const origin = await open((request) => request.destroy());
    expect(await faults(origin)).toEqual([`The server cannot be reached at ${origin}/mcp: socket hang up.`]);
  });
});

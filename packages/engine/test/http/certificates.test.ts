import { createServer, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { type HttpOptions, hashApiKey, type RunningHttpServer, serveHttp } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createCertificate } from "../transports/certificate.js";
import { reaches } from "../transports/reaches.js";

const OLD_KEY = "old-key-of-twenty-and-more";
const NEW_KEY = "new-key-of-twenty-and-more";
const key = (text: string) => ({ principal: "ci", hash: hashApiKey(text) });

async function serve(options: HttpOptions): Promise<RunningHttpServer> {
  const whoami = tool({
    name: "whoami",
    description: "Says who calls.",
    run: (_input, call) => call.principal ?? "nobody",
  });
  const server = createServer({ name: "renewed", version: "1.0.0", tools: [whoami], log: () => undefined });
  const serving = await serveHttp(server, { port: 0, ...options });
  onTestFinished(() => serving.close());
  return serving;
}

const withKey = (url: string, token: string) => connect({ url }, { headers: { authorization: `Bearer ${token}` } });

describe("while a server listens", () => {
  test("its API keys can be replaced: the old one is rejected, the new one is accepted", async () => {
    const serving = await serve({ auth: { apiKeys: [key(OLD_KEY)] } });
    const before = await withKey(serving.url, OLD_KEY);
    serving.rotateCredentials({ apiKeys: [key(NEW_KEY)] });
    await expect(before.callTool("whoami")).rejects.toThrow(/401/);
    const after = await withKey(serving.url, NEW_KEY);
    expect(await after.callTool("whoami")).toMatchObject({ content: [{ text: "ci" }] });
  });

  test("an invalid key changes nothing", async () => {
    const serving = await serve({ auth: { apiKeys: [key(OLD_KEY)] } });
    expect(() => serving.rotateCredentials({ apiKeys: [{ principal: "ci", hash: "short" }] })).toThrow(
      "auth.apiKeys[0].hash must be the result of hashApiKey(key): 64 hexadecimal digits",
    );
    const client = await withKey(serving.url, OLD_KEY);
    expect(await client.callTool("whoami")).toMatchObject({ content: [{ text: "ci" }] });
  });

  test("its certificate can be replaced for new connections", async () => {
    const [first, second] = [createCertificate(), createCertificate()];
    const serving = await serve({ tls: first });
    expect([await reaches(serving.url, first.cert), await reaches(serving.url, second.cert)]).toEqual([true, false]);
    serving.rotateCredentials({ tls: second });
    expect([await reaches(serving.url, first.cert), await reaches(serving.url, second.cert)]).toEqual([false, true]);
  });

  test("with a new certificate, the minimum TLS version still applies", async () => {
    const [first, second] = [createCertificate(), createCertificate()];
    const serving = await serve({ tls: { ...first, minVersion: "TLSv1.3" } });
    expect(await reaches(serving.url, first.cert, "TLSv1.2")).toBe(false);
    serving.rotateCredentials({ tls: second });
    expect(await reaches(serving.url, second.cert)).toBe(true);
    expect(await reaches(serving.url, second.cert, "TLSv1.2")).toBe(false);
  });

  test("an invalid certificate changes nothing", async () => {
    const first = createCertificate();
    const serving = await serve({ tls: first });
    expect(() => serving.rotateCredentials({ tls: { cert: "nonsense", key: "nonsense" } })).toThrow("tls is invalid");
    expect(await reaches(serving.url, first.cert)).toBe(true);
  });

  test("an invalid key does not replace the certificate", async () => {
    const first = createCertificate();
    const serving = await serve({ tls: first, auth: { apiKeys: [key(OLD_KEY)] } });
    expect(() =>
      serving.rotateCredentials({ tls: createCertificate(), apiKeys: [{ principal: "ci", hash: "short" }] }),
    ).toThrow("auth.apiKeys[0].hash must be");
    expect(await reaches(serving.url, first.cert)).toBe(true);
  });

  test("TLS and authentication cannot be added without a restart", async () => {
    const serving = await serve({});
    expect(() => serving.rotateCredentials({ apiKeys: [key(NEW_KEY)] })).toThrow(
      "Cannot rotate the API keys: the server was started without authentication; restart it",
    );
    expect(() => serving.rotateCredentials({ tls: createCertificate() })).toThrow(
      "Cannot rotate the certificate: the server was started without TLS; restart it",
    );
  });
});

import { createServer, type HttpOptions, hashApiKey, type PortServing, serveHttp, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { createCertificate } from "../transports/certificate.js";
import { reaches } from "../transports/reaches.js";

const OLD_KEY = "old-key-of-twenty-and-more";
const NEW_KEY = "new-key-of-twenty-and-more";
const key = (text: string) => ({ principal: "ci", hash: hashApiKey(text) });

async function serve(options: HttpOptions): Promise<PortServing> {
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
  test("its API keys can be replaced: the old one is refused, the new one is let in", async () => {
    const serving = await serve({ auth: { apiKeys: [key(OLD_KEY)] } });
    const before = await withKey(serving.url, OLD_KEY);
    serving.renew({ apiKeys: [key(NEW_KEY)] });
    await expect(before.callTool("whoami")).rejects.toThrow(/401/);
    const after = await withKey(serving.url, NEW_KEY);
    expect(await after.callTool("whoami")).toMatchObject({ content: [{ text: "ci" }] });
  });

  test("a key that is wrong changes nothing", async () => {
    const serving = await serve({ auth: { apiKeys: [key(OLD_KEY)] } });
    expect(() => serving.renew({ apiKeys: [{ principal: "ci", hash: "short" }] })).toThrow(
      "auth.apiKeys[0].hash must be what hashApiKey(key) gives: 64 hexadecimal digits",
    );
    const client = await withKey(serving.url, OLD_KEY);
    expect(await client.callTool("whoami")).toMatchObject({ content: [{ text: "ci" }] });
  });

  test("its certificate can be replaced for connections from then on", async () => {
    const [first, second] = [createCertificate(), createCertificate()];
    const serving = await serve({ tls: first });
    expect([await reaches(serving.url, first.cert), await reaches(serving.url, second.cert)]).toEqual([true, false]);
    serving.renew({ tls: second });
    expect([await reaches(serving.url, first.cert), await reaches(serving.url, second.cert)]).toEqual([false, true]);
  });

  test("with a new certificate, versions of TLS that are too old stay refused", async () => {
    const [first, second] = [createCertificate(), createCertificate()];
    const serving = await serve({ tls: { ...first, minVersion: "TLSv1.3" } });
    expect(await reaches(serving.url, first.cert, "TLSv1.2")).toBe(false);
    serving.renew({ tls: second });
    expect(await reaches(serving.url, second.cert)).toBe(true);
    expect(await reaches(serving.url, second.cert, "TLSv1.2")).toBe(false);
  });

  test("a certificate that is none changes nothing", async () => {
    const first = createCertificate();
    const serving = await serve({ tls: first });
    expect(() => serving.renew({ tls: { cert: "nonsense", key: "nonsense" } })).toThrow("tls cannot be used");
    expect(await reaches(serving.url, first.cert)).toBe(true);
  });

  test("what it was opened without needs a restart", async () => {
    const serving = await serve({});
    expect(() => serving.renew({ apiKeys: [key(NEW_KEY)] })).toThrow(
      "Cannot renew the API keys: the server was opened without; it needs a restart",
    );
    expect(() => serving.renew({ tls: createCertificate() })).toThrow(
      "Cannot renew the certificate: the server was opened without; it needs a restart",
    );
  });
});

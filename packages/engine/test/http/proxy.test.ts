import { request } from "node:https";
import { connect as connectTls } from "node:tls";
import type { PageRequest } from "@toolwright/engine/http";
import { describe, expect, test } from "vitest";
import { certificate } from "../transports/certificate.js";
import { serve } from "./serve.js";
import { callModern, modern } from "./stateless-request.js";
import { openWire, postText } from "./wire.js";

/** Pages that say how their client came. */
const pages = {
  matches: () => true,
  serve: ({ isSecure }: PageRequest) => ({ status: 200, headers: {}, body: `${isSecure}` }),
};

describe("TLS", () => {
  const { body, headers } = modern("tools/call", { name: "echo", arguments: { text: "hi" } });

  test("is used if there is a certificate, and plain HTTP is rejected", async () => {
    const site = await serve({ tls: certificate });
    expect(site.url).toBe(`https://127.0.0.1:${site.port}/mcp`);
    const text = await new Promise<string>((resolve, reject) => {
      const options = {
        method: "POST",
        ca: certificate.cert,
        headers: { ...headers, "content-type": "application/json", accept: "application/json" },
      };
      const sent = request(site.url, options, (answer) => {
        let received = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          received += chunk;
        });
        answer.on("end", () => resolve(received));
      });
      sent.on("error", reject);
      sent.end(JSON.stringify(body));
    });
    expect(text).toContain('"text":"hi"');
    const plain = openWire(site).write(postText(body, headers));
    await plain.closed;
    expect(plain.text).not.toContain("result");
  });

  test("survives clients that use another protocol or stop during the handshake", async () => {
    const site = await serve({ tls: certificate });
    for (const text of ["GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x00\x05hello", ""]) {
      const wire = openWire(site).write(text);
      wire.socket.end();
      await wire.closed;
    }
    const socket = connectTls({ port: site.port, host: "127.0.0.1", ca: certificate.cert });
    await new Promise<void>((resolve) => socket.once("secureConnect", resolve));
    socket.write(postText(body, headers));
    const received = await new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(chunk.toString())));
    expect(received).toContain("HTTP/1.1 200 OK");
    socket.destroy();
  });

  test("with a key that does not match fails at start", async () => {
    await expect(serve({ tls: { cert: "nonsense", key: "nonsense" } })).rejects.toThrow(
      /^Cannot serve over HTTP: tls is invalid: /,
    );
    for (const tls of [{}, { cert: "alone" }, { key: "alone" }])
      await expect(serve({ tls })).rejects.toThrow("Cannot serve over HTTP: tls needs cert and key, or pfx");
  });

  test("with an unknown option fails at start", async () => {
    await expect(serve({ tls: { ...certificate, passphrse: "x" } as never })).rejects.toThrow(
      "Cannot serve over HTTP: unknown option tls.passphrse; did you mean tls.passphrase?",
    );
  });
});

describe("behind a proxy", () => {
  const tight = { burst: 2, perSecond: 0.01 };
  const from = (address: string) => ({ "x-forwarded-for": address });
  const statuses = async (site: Awaited<ReturnType<typeof serve>>, ...addresses: string[]) => {
    const found: number[] = [];
    for (const address of addresses)
      found.push((await callModern(site, "echo", { text: "hi" }, {}, from(address))).status);
    return found;
  };

  test("that is trusted, clients are distinguished by X-Forwarded-For", async () => {
    const site = await serve({ trustProxy: ["127.0.0.1"], rate: tight });
    const addresses = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"];
    expect(await statuses(site, ...addresses)).toEqual([200, 200, 429, 200]);
  });

  test("that is trusted, addresses that the client has added are ignored", async () => {
    const site = await serve({ trustProxy: ["127.0.0.0/8", "10.0.0.0/8"], rate: tight });
    const addresses = ["1.1.1.1, 192.0.2.1", "2.2.2.2, 192.0.2.1", "3.3.3.3, 192.0.2.1, 10.1.2.3", "x, 192.0.2.1"];
    expect(await statuses(site, ...addresses)).toEqual([200, 200, 429, 429]);
    expect(await statuses(site, "made up, unknown", "made up again, unknown", "another, unknown")).toEqual([
      200, 200, 429,
    ]);
  });

  test("that is not trusted, its headers are ignored", async () => {
    const site = await serve({ rate: tight });
    expect(await statuses(site, "192.0.2.1", "192.0.2.2", "192.0.2.3")).toEqual([200, 200, 429]);
    const other = await serve({ trustProxy: ["192.0.2.9"], rate: tight });
    expect(await statuses(other, "192.0.2.1", "192.0.2.2", "192.0.2.3")).toEqual([200, 200, 429]);
  });

  test("that is trusted, X-Forwarded-Host is the host name", async () => {
    const options = { trustProxy: ["127.0.0.1"], allowedHosts: ["mcp.example"] };
    const site = await serve(options);
    const call = async (host: string) =>
      (await callModern(site, "echo", { text: "hi" }, {}, { "x-forwarded-host": host })).status;
    expect([await call("mcp.example"), await call("evil.example")]).toEqual([200, 403]);
    // What stands before the word of the nearest proxy, the client may have written.
    expect([await call("mcp.example, evil.example"), await call("a, mcp.example")]).toEqual([403, 200]);
    const untrusting = await serve({ allowedHosts: ["mcp.example"] });
    const { body, headers } = modern("tools/list");
    const text = postText(body, { ...headers, host: "evil.example", "x-forwarded-host": "mcp.example" });
    expect((await openWire(untrusting).write(text).answer()).status).toBe(403);
  });

  test("two X-Forwarded-For headers are one list", async () => {
    const site = await serve({ trustProxy: ["127.0.0.1"], rate: tight });
    const { body, headers } = modern("tools/list");
    const text = postText(body, headers).replace(
      "\r\n",
      "\r\nx-forwarded-for: 9.9.9.9\r\nx-forwarded-for: 192.0.2.1\r\n",
    );
    for (const status of [200, 200, 429]) expect((await openWire(site).write(text).answer()).status).toBe(status);
  });

  test("that is trusted but sends no X-Forwarded-Proto, the scheme is that of the connection", async () => {
    const site = await serve({ trustProxy: ["127.0.0.1"], tls: certificate, pages });
    const said = await new Promise((resolve, reject) => {
      request(site.at("/p"), { ca: certificate.cert }, (answer) => answer.once("data", (chunk) => resolve(`${chunk}`)))
        .on("error", reject)
        .end();
    });
    expect(said).toBe("true");
  });

  test("that is trusted, the scheme is the last value of X-Forwarded-Proto", async () => {
    const site = await serve({ trustProxy: ["127.0.0.1"], pages });
    const isSecureWith = async (proto: string) =>
      (await fetch(site.at("/p"), { headers: { "x-forwarded-proto": proto } })).text();
    expect([await isSecureWith("https"), await isSecureWith("https, http"), await isSecureWith("http, https")]).toEqual(
      ["true", "false", "true"],
    );
  });

  test("an absolute request target provides the path and the host", async () => {
    const site = await serve({ webSocket: true });
    const { body, headers } = modern("tools/list");
    const post = async (target: string, host: string) => {
      const text = postText(body, { ...headers, host }).replace("/mcp", target);
      return (await openWire(site).write(text).answer()).status;
    };
    expect(await post("http://127.0.0.1/mcp", "evil.example")).toBe(200);
    expect(await post("HTTPS://localhost:80/mcp?a=1", "127.0.0.1")).toBe(200);
    expect(await post("http://evil.example/mcp", "127.0.0.1")).toBe(403);
    const upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n";
    const key = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    const socket = openWire(site).write(`GET ${site.url} HTTP/1.1\r\nhost: x\r\n${upgrade}${key}\r\n`);
    expect((await socket.answer()).status).toBe(101);
  });

  test("with an invalid address, the server does not start", async () => {
    for (const entry of ["proxy.example", "10.0.0.0/33", "10.0.0.0/x", ""])
      await expect(serve({ trustProxy: [entry] })).rejects.toThrow("is neither an address nor a network");
  });
});

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Child } from "../../../engine/test/stdio/child.js";
import { certificate } from "../../../engine/test/transports/certificate.js";
import { callEcho, echoed, folder, main, serve, started, urlOf } from "./listening.js";

/** Makes a key, and gives it and the line for the file. */
function makeKey(...words: string[]): { key: string; line: string; told: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [main, "key", ...words], { encoding: "utf8" });
  const [, key = ""] = /shown only now: (\S+)\n/.exec(stderr) ?? [];
  return { key, line: stdout, told: stderr };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const statusOf = async (url: string, headers = {}) => (await callEcho(url, "x", headers)).status;
const failure = async (child: Child) => ({ code: (await child.ended).code, stderr: child.stderr });

describe("toolwright key", () => {
  test("prints the line for the file on stdout, and the key once, on stderr", () => {
    const { key, line, told } = makeKey("ada", "read", "write");
    expect(key).toMatch(/^tw_[\w-]{43}$/);
    expect(line).toMatch(/^ada [\da-f]{64} read write\n$/);
    expect(line).not.toContain(key);
    expect(told).toBe(
      `The API key of ada, which is shown only now: ${key}\nClients send it in the header Authorization: Bearer ${key}\n`,
    );
    expect(makeKey("ada").key).not.toBe(key);
  });
});

describe("--api-key-file", () => {
  test("admits only clients with one of the keys", async () => {
    const [ada, bo] = [makeKey("ada"), makeKey("bo", "read")];
    const file = join(folder(), "keys.txt");
    writeFileSync(file, `# who may call\n\n${ada.line}\n  ${bo.line}`);
    const child = serve(`--http 0 --ws --api-key-file ${file}`);
    const { http: url = "", access } = await started(child);
    expect(access).toBe("2 API keys");
    expect(await statusOf(url)).toBe(401);
    expect(await statusOf(url, bearer(`${ada.key}x`))).toBe(401);
    expect(await statusOf(url, bearer(ada.line.split(" ")[1]?.trim() ?? ""))).toBe(401);
    expect(await echoed(await callEcho(url, "hello", bearer(ada.key)))).toBe("hello");
    expect(await statusOf(url, bearer(bo.key))).toBe(200);
    expect(child.stderr).not.toContain("tw_");
  });

  test("with --scope only keys with that scope, or with all of them", async () => {
    const [all, read, write] = [makeKey("all"), makeKey("read", "read"), makeKey("write", "write")];
    const file = join(folder(), "keys.txt");
    writeFileSync(file, all.line + read.line + write.line);
    const url = await urlOf("http", serve(`--http 0 --api-key-file ${file} --scope read`));
    const statuses = [all, read, write].map(({ key }) => statusOf(url, bearer(key)));
    expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
  });

  test("that cannot be used ends the start with code 1 and one line", async () => {
    const file = join(folder(), "keys.txt");
    const start = () => failure(serve(`--http 0 --api-key-file ${file}`));
    expect(await start()).toEqual({
      code: 1,
      stderr: `toolwright: Cannot read ${file} (--api-key-file): there is no such file\n`,
    });
    writeFileSync(file, "# nobody yet\n");
    expect(await start()).toEqual({
      code: 1,
      stderr: `toolwright: Cannot use ${file} (--api-key-file): there is no key in it\n`,
    });
    writeFileSync(file, "# a key itself\nada tw_secret\n");
    expect(await start()).toEqual({
      code: 1,
      stderr: `toolwright: Cannot use ${file} (--api-key-file): line 2 must be a name and the hash of a key; "toolwright key NAME" makes one\n`,
    });
  });

  test("that is a folder ends the start with code 1 and one line", async () => {
    const place = folder();
    expect(await failure(serve(`--http 0 --api-key-file ${place}`))).toEqual({
      code: 1,
      stderr: `toolwright: Cannot read ${place} (--api-key-file): it is a folder\n`,
    });
  });
});

describe("TOOLWRIGHT_API_KEY", () => {
  test("admits only clients that have it", async () => {
    const key = "a-long-key-from-the-environment";
    const child = serve("--http 0", { TOOLWRIGHT_API_KEY: key });
    const { http: url = "", access } = await started(child);
    expect(access).toBe("1 API key");
    expect([await statusOf(url), await statusOf(url, bearer(key))]).toEqual([401, 200]);
    expect(child.stderr).not.toContain(key);
  });

  test("that is too short, or empty, ends the start with code 1 and is not shown", async () => {
    for (const key of ["short-key", ""]) {
      expect(await failure(serve("--http 0", { TOOLWRIGHT_API_KEY: key }))).toEqual({
        code: 1,
        stderr:
          "toolwright: Cannot use TOOLWRIGHT_API_KEY: it has fewer than 20 characters; make one with: openssl rand -hex 32\n",
      });
    }
  });
});

describe("--issuer", () => {
  test("asks for a token of it, and says so where clients look", async () => {
    // Somebody must be there, so that the check of the issuer ends soon.
    const issuer = http.createServer((_request, response) => void response.writeHead(404).end()).listen(0, "127.0.0.1");
    await once(issuer, "listening");
    const name = `http://127.0.0.1:${(issuer.address() as { port: number }).port}`;
    const words = `--http 0 --issuer ${name} --scope mcp:use --scope mcp:read --public-url https://tools.example/mcp`;
    const { http: url = "", access } = await started(serve(words));
    expect(access).toBe(`tokens of ${name}`);
    const refused = await callEcho(url, "x");
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get("www-authenticate");
    expect(challenge).toContain('resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"');
    expect(challenge).toContain('scope="mcp:use mcp:read"');
    const metadata = await fetch(new URL("/.well-known/oauth-protected-resource/mcp", url));
    expect(await metadata.json()).toMatchObject({
      resource: "https://tools.example/mcp",
      authorization_servers: [name],
      scopes_supported: ["mcp:use", "mcp:read"],
    });
    issuer.close();
  });

  test("without a public URL or an audience is refused where others can reach the server", async () => {
    const { code, stderr } = await failure(serve("--http 0.0.0.0:0 --issuer https://login.example"));
    expect(code).toBe(2);
    expect(stderr).toContain("--audience is required to know which tokens are meant for this server");
  });
});

test("--trust-proxy trusts the host name of that proxy only", async () => {
  const forwarded = (url: string, host: string) => statusOf(url, { "x-forwarded-host": host });
  const words = "--http 0 --public-url https://tools.example/mcp";
  const trusting = await urlOf("http", serve(`${words} --trust-proxy 10.0.0.0/8 --trust-proxy 127.0.0.1`));
  expect([await forwarded(trusting, "tools.example"), await forwarded(trusting, "evil.example")]).toEqual([200, 403]);
  const wary = await urlOf("http", serve(words));
  expect(await forwarded(wary, "evil.example")).toBe(200);
});

describe("an address that others can reach", () => {
  test("without keys or an issuer gets a warning", async () => {
    const child = serve("--http 0.0.0.0:0");
    await started(child);
    await child.until(() => child.stderr.includes("Warning"), "a warning");
    expect(child.stderr.split("\n").slice(5)).toEqual([
      "Warning: everybody who can reach 0.0.0.0 can use these tools. Give --api-key-file or --issuer, or listen at 127.0.0.1.",
      "",
    ]);
  });

  test("with keys, but without TLS, gets another, unless a proxy has TLS", async () => {
    const env = { TOOLWRIGHT_API_KEY: "a-long-key-from-the-environment" };
    const open = serve("--http 0.0.0.0:0", env);
    await open.until(() => open.stderr.includes("in the clear"), "a warning");
    const proxied = serve("--http 0.0.0.0:0 --public-url https://tools.example/mcp", env);
    await started(proxied);
    expect(proxied.stderr).not.toContain("Warning");
  });

  test("answers to its addresses, and only to names that were allowed", async () => {
    const url = await urlOf("http", serve("--http 0.0.0.0:0 --allow-host tools.example"));
    const local = url.replace("0.0.0.0", "127.0.0.1");
    const port = new URL(url).port;
    const named = async (host: string) => {
      const [response] = (await once(http.get({ port, path: "/health", headers: { host } }), "response")) as [
        http.IncomingMessage,
      ];
      response.resume();
      return response.statusCode;
    };
    expect(await statusOf(local)).toBe(200);
    const names = ["tools.example", "tools.example:8080", "evil.example"];
    expect(await Promise.all(names.map(named))).toEqual([200, 200, 403]);
  });
});

describe("--tls-cert and --tls-key", () => {
  test("serve over TLS", async () => {
    const place = folder();
    const [key, cert] = [join(place, "key.pem"), join(place, "cert.pem")];
    writeFileSync(key, certificate.key);
    writeFileSync(cert, certificate.cert);
    const { http: url = "", ws } = await started(serve(`--http 0 --ws --tls-cert ${cert} --tls-key ${key}`));
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:/);
    expect(ws).toBe(url.replace("https", "wss"));
    const status = await new Promise((resolve, reject) => {
      https
        .get(new URL("/health", url), { ca: certificate.cert }, ({ statusCode }) => resolve(statusCode))
        .on("error", reject);
    });
    expect(status).toBe(200);
    const swapped = await failure(serve(`--http 0 --tls-cert ${key} --tls-key ${key}`));
    expect(swapped.code).toBe(1);
    expect(swapped.stderr).toMatch(/^toolwright: Cannot use --tls-cert and --tls-key: .+\n$/);
  });

  test("that are empty, or not there, end the start with code 1 and one line", async () => {
    const file = join(folder(), "empty.pem");
    writeFileSync(file, "");
    expect(await failure(serve(`--http 0 --tls-cert ${file} --tls-key ${file}`))).toEqual({
      code: 1,
      stderr: "toolwright: Cannot use --tls-cert and --tls-key: one of the files is empty\n",
    });
    expect(await failure(serve(`--http 0 --tls-cert ${file} --tls-key ${file}.key`))).toEqual({
      code: 1,
      stderr: `toolwright: Cannot read ${file}.key (--tls-key): there is no such file\n`,
    });
  });
});

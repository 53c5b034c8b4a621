import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { AUDIENCE, type Issuer, openIssuer } from "./issuer.js";
import { serveGuarded } from "./protected-server.js";

let issuer: Issuer;
let ada: string;
let eve: string;
beforeAll(async () => {
  issuer = await openIssuer();
  ada = `Bearer ${await issuer.sign({ sub: "ada", scope: "write" })}`;
  eve = `Bearer ${await issuer.sign({ sub: "eve" })}`;
});
afterAll(() => issuer.stop());

const auth = () => ({ issuer: issuer.url, audience: AUDIENCE });
const callOf = (name: string, id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } });
const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
};

describe("HTTP+SSE", () => {
  test("requires a token of the same user for the stream and for each message [AUTH-12]", async () => {
    const { origin } = await serveGuarded(auth(), { sse: true });
    const open = (authorization?: string) =>
      fetch(`${origin}/sse`, { headers: { accept: "text/event-stream", ...(authorization && { authorization }) } });
    expect((await open()).status).toBe(401);
    const stream = await open(ada);
    expect(stream.status).toBe(200);
    const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    onTestFinished(() => reader.cancel());
    let seen = "";
    const until = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const found = pattern.exec(seen)?.[1];
        if (found !== undefined) return found;
        const { value, done } = await reader.read();
        if (done) throw new Error(`The stream ended after: ${seen}`);
        seen += value;
      }
    };
    const target = origin + (await until(/data: (\/messages\S+)/));
    const post = (body: object, authorization?: string) =>
      fetch(target, {
        method: "POST",
        headers: { "content-type": "application/json", ...(authorization && { authorization }) },
        body: JSON.stringify(body),
      });
    expect((await post(initialize)).status).toBe(401);
    expect((await post(initialize, eve)).status).toBe(404);
    expect((await post(initialize, ada)).status).toBe(202);
    await until(/"id":(0)/);
    await post(callOf("whoami", 1), ada);
    expect(await until(/"text":"(\w+)"/)).toBe("ada");
    // The scopes are those of the message's own token.
    await post(callOf("write", 2), `Bearer ${await issuer.sign({ sub: "ada" })}`);
    expect(await until(/"message":"([^"]+)"/)).toBe("The tool write needs a token with the scope write");
  });
});

describe("a WebSocket", () => {
  const connect = (url: string, authorization?: string): WebSocket => {
    const socket = new WebSocket(url.replace("http", "ws"), "mcp", {
      headers: authorization === undefined ? {} : { authorization },
    });
    // One that was turned away says so once more when it is given up.
    socket.on("error", () => undefined);
    onTestFinished(() => socket.terminate());
    return socket;
  };

  test("requires a token for the upgrade [AUTH-12]", async () => {
    const { url, origin } = await serveGuarded(auth(), { webSocket: true });
    for (const authorization of [undefined, "Bearer nonsense"]) {
      const socket = connect(url, authorization);
      const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
      expect(response.statusCode).toBe(401);
      expect(response.headers["www-authenticate"]).toContain(
        `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
      );
    }
  });

  test("gets 503 with Retry-After while the issuer is unavailable", async () => {
    const token = `Bearer ${await issuer.sign()}`;
    issuer.isDown = true;
    onTestFinished(() => {
      issuer.isDown = false;
    });
    const { url } = await serveGuarded(auth(), { webSocket: true });
    const [, response] = (await once(connect(url, token), "unexpected-response")) as [unknown, IncomingMessage];
    expect([response.statusCode, response.headers["retry-after"]]).toEqual([503, "10"]);
  });

  test("has the principal and the scopes of its token [AUTH-12 TOOL-21]", async () => {
    const { url } = await serveGuarded(auth(), { webSocket: true });
    const socket = connect(url, eve);
    await once(socket, "open");
    const ask = async (body: object): Promise<unknown> => {
      const answer = once(socket, "message");
      socket.send(JSON.stringify(body));
      return JSON.parse(String(((await answer) as [Buffer])[0]));
    };
    await ask(initialize);
    expect(await ask(callOf("whoami", 1))).toMatchObject({ result: { content: [{ text: "eve" }] } });
    expect(await ask(callOf("write", 2))).toMatchObject({
      error: { message: "The tool write needs a token with the scope write" },
    });
  });
});

import { randomUUID } from "node:crypto";
import http from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { endWithClient } from "../servers/end-with-client.mjs";

/** A server and a transport a session, as the SDK's guide has it. */
function withSessions(createServer) {
  const sessions = new Map();
  return async (request, response) => {
    const id = request.headers["mcp-session-id"];
    let transport = sessions.get(id);
    if (transport === undefined) {
      if (id !== undefined) return response.writeHead(404).end();
      transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => sessions.set(session, transport),
        onsessionclosed: (session) => sessions.delete(session),
      });
      await createServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  };
}

/** Each era in the wiring that the SDK has for it; the guards for Host and Origin are left out, which is cheaper. */
export function serveHttp(createServer, /** @type {string} */ era) {
  const handle = era === "modern" ? toNodeHandler(createMcpHandler(createServer)) : withSessions(createServer);
  const server = http.createServer((request, response) => void handle(request, response));
  endWithClient();
  server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
}

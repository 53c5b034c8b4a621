import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { endWithClient } from "./end-with-client.mjs";

// The open stream of each session.
const sessions = new Map();
const json = "application/json";
const sessionField = "mcp-session-id";

function answerPost(request, response, receive, body) {
  const message = JSON.parse(body);
  const text = receive(message);
  if (text === undefined) return response.writeHead(202).end();
  const fields = { "content-type": json, "content-length": Buffer.byteLength(text) };
  if (message.method === "initialize") {
    fields[sessionField] = randomUUID();
    sessions.set(fields[sessionField], undefined);
  }
  response.writeHead(200, fields).end(text);
}

/** The least that an HTTP server in Node does: a body, an answer, and a session that is remembered. */
export function serveHttp(/** @type {(message: any) => string | undefined} */ receive) {
  const server = createServer((request, response) => {
    const { method } = request;
    if (method === "POST") {
      let first;
      let rest;
      request.on("data", (chunk) => {
        if (first === undefined) first = chunk;
        else (rest ??= [first]).push(chunk);
      });
      request.on("end", () => answerPost(request, response, receive, (rest ? Buffer.concat(rest) : first).toString()));
      return;
    }
    const session = request.headers[sessionField];
    if (method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      sessions.set(session, response);
      return;
    }
    sessions.delete(session);
    response.writeHead(200).end();
  });
  endWithClient();
  server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
}

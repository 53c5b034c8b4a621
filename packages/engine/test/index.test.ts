import { expect, test } from "vitest";
import * as face from "../src/index.js";
import * as transport from "../src/transport.js";

test("the revisions are frozen pairs, newest first", () => {
  expect(face.revisions).toEqual([
    { version: "2026-07-28", handshake: false },
    { version: "2025-11-25", handshake: true },
    { version: "2025-06-18", handshake: true },
    { version: "2025-03-26", handshake: true },
    { version: "2024-11-05", handshake: true },
  ]);
  expect([face.revisions, ...face.revisions].every(Object.isFrozen)).toBe(true);
});

test("a transport of one's own finds all it needs on the public face", () => {
  const answers: (string | undefined)[] = [];
  const server: face.Server = face.createServer({ name: "test", version: "1.0.0" });
  const session: transport.TransportSession = server.openSession(() => undefined);
  const answer = (message: string | undefined): void => void answers.push(message);
  const link: transport.TransportConnection = { session, principal: undefined, send: () => undefined, respond: answer };
  server.receive('{"jsonrpc":"2.0","id":1,"method":"ping"}', link);
  server.rejectMessage(transport.parseError("the frame is no text"), link);
  server.rejectMessage(face.limitExceeded("messageBytes", "the frame is too long"), link);
  session.end();
  session.close();
  expect(answers).toEqual([
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: the frame is no text"}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: the frame is too long","data":{"limit":"messageBytes"}}}',
  ]);
});

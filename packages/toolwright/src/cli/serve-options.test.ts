import { expect, test } from "vitest";
import { readServeOptions } from "./serve-options.js";

const at = (port: number) => ({ host: "127.0.0.1", port });

test.each([
  ["", { stdio: true, http: undefined, ws: undefined, socket: undefined }],
  ["--state s", { stdio: true, state: "s" }],
  ["--http", { stdio: false, http: at(3000), sse: false }],
  ["--http 8080 --sse", { http: at(8080), sse: true }],
  ["--http --stdio", { stdio: true, http: at(3000) }],
  ["--http 8080 --ws", { http: at(8080), ws: "http" }],
  ["--ws --http 8080", { http: at(8080), ws: "http" }],
  ["--http 8080 --ws 8081", { http: at(8080), ws: at(8081) }],
  ["--ws", { stdio: false, http: undefined, ws: at(3000) }],
  ["--socket /tmp/s", { stdio: false, socket: "/tmp/s" }],
])("serve %s", (words, options) => {
  expect(readServeOptions(words.split(" ").filter((word) => word !== ""))).toMatchObject(options);
});

test.each([
  ["--sse", "--sse needs --http beside it"],
  ["--ws --sse", "--sse needs --http beside it"],
  ["--allow-host a", "--allow-host needs --http or --ws beside it"],
  ["--socket s --api-key-file f", "--api-key-file needs --http or --ws beside it"],
  ["--http --tls-cert c", "--tls-cert needs --tls-key beside it"],
  ["--http --audience a", "--audience needs --issuer beside it"],
  ["--ws --scope s", "--scope needs --issuer or --api-key-file beside it"],
])("serve %s is refused", (words, fault) => {
  expect(() => readServeOptions(words.split(" "))).toThrow(fault);
});

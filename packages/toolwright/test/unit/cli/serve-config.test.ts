import { expect, test } from "vitest";
import { readOrigins } from "../../../src/cli/serve-config.js";
import { createServeOptions } from "../../../src/cli/serve-options.js";
import { loadConfig } from "../../../src/config/load.js";

const at = (port: number) => ({ host: "127.0.0.1", port });

const read = async (words: string) => {
  const origins = readOrigins(["--no-config", ...words.split(" ").filter((word) => word !== "")], {
    env: {},
    folder: ".",
  });
  return createServeOptions(await loadConfig(origins));
};

test.each([
  ["", { stdio: true, http: undefined, ws: undefined, socket: undefined }],
  ["--state s", { stdio: true }],
  ["--http", { stdio: false, http: at(3000), sse: false }],
  ["--http 8080 --sse", { http: at(8080), sse: true }],
  ["--http --stdio", { stdio: true, http: at(3000) }],
  ["--http 8080 --ws", { http: at(8080), ws: "http" }],
  ["--ws --http 8080", { http: at(8080), ws: "http" }],
  ["--http 8080 --ws 8081", { http: at(8080), ws: at(8081) }],
  ["--ws", { stdio: false, http: undefined, ws: at(3000) }],
  ["--socket /tmp/s", { stdio: false, socket: "/tmp/s" }],
  ["--set http.listen=8080 --set ws=true", { http: at(8080), ws: "http" }],
  ["--http --set stdio=true", { stdio: true, http: at(3000) }],
])("serve %s", async (words, options) => {
  expect(await read(words)).toMatchObject(options);
});

test.each([
  ["--sse", ["--sse needs --http beside it"]],
  ["--ws --sse", ["--sse needs --http beside it"]],
  ["--allow-host a", ["--allow-host needs --http or --ws beside it"]],
  ["--socket s --api-key-file f", ["--api-key-file needs --http or --ws beside it"]],
  ["--http --tls-cert c", ["--tls-cert needs --tls-key beside it"]],
  ["--http --audience a", ["--audience needs --issuer beside it"]],
  ["--ws --scope s", ["--scope needs --issuer or --api-key-file beside it"]],
  ["--set rate.burst=5", ["--set rate.burst needs rate.perSecond beside it"]],
  ["--set stdio=false", ["--set stdio is false, and nothing else is served"]],
  [
    "--htp 80 --port x --set limits.callTimoutMs=5 --ws 70000 --state",
    [
      "--set limits.callTimoutMs is unknown; did you mean limits.callTimeoutMs?",
      '--ws cannot be at "70000"; give HOST:PORT, such as 8080, 0.0.0.0:8080 or [::1]:8080',
      "Unknown option --htp; did you mean --http?",
      "Unknown option --port",
      "--state needs a value: --state FOLDER",
    ],
  ],
  [
    "--set auth.apiKey=tw_secret --set pageSize --set limits.pageSize --http 80 --set http.listen=81",
    [
      "--set auth.apiKey could be read by others in the list of processes; use TOOLWRIGHT_API_KEY",
      "--set pageSize is unknown",
      "--set limits.pageSize needs a value: --set limits.pageSize=VALUE",
      "http.listen is given twice",
    ],
  ],
])("serve %s is refused", async (words, faults) => {
  await expect(read(words)).rejects.toMatchObject({ faults });
});

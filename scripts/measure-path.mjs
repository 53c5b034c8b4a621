// npm run measure:path [-- --list]: counts the files and functions of the engine that one tools/call passes, and the files of the ready
// server that one fs_edit_file passes, with V8's precise coverage, and prints the sizes of the engine and of the ready server beside
// it. Needs a build. `--list` names the functions. Each server runs in a process of its own: the engine's are this file with the name of the transport, the ready server is
// started with this file as a preload.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import inspector from "node:inspector";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { serverSizes, sourceFiles } from "./measure-sizes.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const sourceFolder = path.join(root, "packages/engine/src");
// Below node_modules, so that imports of packages are resolved.
const outputFolder = path.join(root, "node_modules/.cache/measure-path");

/** Where the transformed packages lie, so that they find each other. */
const packagesFolder = path.join(outputFolder, "packages/node_modules/@toolwright");

const WARM_UP_CALLS = 50;
/** What happens after the response, such as the release of a slot, belongs to the call. */
const SETTLE_MS = 100;

/** The call by which the engine is measured. */
const ECHO = { name: "echo", next: () => ({ text: "hello" }), expected: /^hello$/ };

/** How this file is named when it is preloaded into the ready server. */
const PRELOAD = `${import.meta.url.split("?", 1)[0]}?coverage`;

const [mode] = process.argv.slice(2);
if (import.meta.url === PRELOAD) await startCoverage();
else if (mode === "stdio" || mode === "http") await serve(mode);
else await measure();

/** Starts to count calls in this process; sends the counts to the parent process when it asks. */
async function startCoverage() {
  const session = new inspector.Session();
  session.connect();
  const post = (method, params) =>
    new Promise((resolve, reject) =>
      session.post(method, params, (error, result) => (error === null ? resolve(result) : reject(error))),
    );
  await post("Profiler.enable");
  // Counts of calls need the profiler from the start: code that is optimized before is not counted.
  await post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  process.on("message", () => void post("Profiler.takePreciseCoverage").then(({ result }) => process.send(result)));
}

/** The measured process: serves one tool, and takes the coverage when it is told to. */
async function serve(transport) {
  const load = (entry) => import(pathToFileURL(path.join(outputFolder, `${entry}.js`)).href);
  const { createServer, serveStdio, tool } = await load("index");
  await startCoverage();
  const echo = tool({
    name: "echo",
    description: "Returns the text.",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    run: ({ text }) => text,
  });
  const server = createServer({ name: "measured", version: "1.0.0", tools: [echo] });
  if (transport === "stdio") return serveStdio(server);
  const { serveHttp } = await load("http");
  const { url } = await serveHttp(server, { port: 0 });
  process.send({ url });
}

async function measure() {
  await transformSources();
  const rows = [];
  let edit;
  try {
    for (const transport of ["stdio", "http"]) {
      for (const revision of ["2025-11-25", "2026-07-28"]) {
        rows.push({ transport, revision, ...(await measureCall(transport, revision)) });
      }
    }
    edit = await measureEdit();
  } finally {
    rmSync(outputFolder, { recursive: true, force: true });
  }
  if (process.argv.includes("--list")) {
    for (const { transport, revision, names } of rows) console.log(`${transport} ${revision}\n${names.join("\n")}\n`);
    console.log(`fs_edit_file\n${edit.names.join("\n")}\n`);
  }
  printTable(rows, edit, await serverSizes());
}

/** Transforms the sources file by file, so that each script that V8 counts is one source file. */
async function transformSources() {
  rmSync(outputFolder, { recursive: true, force: true });
  await transformFolder(sourceFolder, outputFolder);
  writeFileSync(path.join(outputFolder, "package.json"), '{ "type": "module" }\n');
}

async function transformFolder(from, to) {
  for (const file of sourceFiles(from)) {
    const { code } = await transform(readFileSync(path.join(from, file), "utf8"), {
      loader: "ts",
      target: "node20.19",
    });
    const output = path.join(to, file.replace(/\.ts$/, ".js"));
    mkdirSync(path.dirname(output), { recursive: true });
    writeFileSync(output, code);
  }
}

/** Transforms every package; each exports its transformed sources. */
async function transformPackages() {
  for (const name of readdirSync(path.join(root, "packages"))) {
    const from = path.join(root, "packages", name);
    const to = path.join(packagesFolder, name);
    if (!existsSync(path.join(from, "src"))) continue;
    await transformFolder(path.join(from, "src"), path.join(to, "src"));
    const { version, exports } = JSON.parse(readFileSync(path.join(from, "package.json"), "utf8"));
    const manifest = JSON.stringify({ type: "module", version, exports: toTransformed(exports) });
    writeFileSync(path.join(to, "package.json"), manifest);
    // The program reads its version from the folder above its built files.
    writeFileSync(path.join(to, "src/package.json"), JSON.stringify({ type: "module", version }));
    const modules = path.join(from, "node_modules");
    if (existsSync(modules)) symlinkSync(modules, path.join(to, "node_modules"));
  }
}

/** The exports of a package, as paths of the transformed files. */
function toTransformed(exports = {}) {
  const entries = Object.entries(exports).map(([name, target]) => [
    name,
    (typeof target === "string" ? target : target["@toolwright/source"])?.replace(/\.ts$/, ".js"),
  ]);
  return Object.fromEntries(entries.filter(([, target]) => target !== undefined));
}

/** Counts what one fs_edit_file enters of the ready server, over stdio. */
async function measureEdit() {
  await transformPackages();
  const folder = mkdtempSync(path.join(tmpdir(), "measure-path-"));
  const file = path.join(folder, "notes.txt");
  writeFileSync(file, "one\ntwo\n");
  const main = path.join(packagesFolder, "toolwright/src/cli/main.js");
  const args = ["serve", "--no-config", "--root", folder, "--state", path.join(folder, "state")];
  const child = spawn(process.execPath, ["--import", PRELOAD, main, ...args], {
    stdio: ["pipe", "pipe", "inherit", "ipc"],
  });
  try {
    const [first, second] = [
      { old: "one", new: "three" },
      { old: "three", new: "one" },
    ];
    let edit = first;
    const next = () => {
      const edits = [edit];
      edit = edit === first ? second : first;
      return { path: "notes.txt", edits };
    };
    const call = await openSession(openStdio(child), "2025-11-25", {
      name: "fs_edit_file",
      next,
      expected: /notes\.txt/,
    });
    for (let n = 0; n < WARM_UP_CALLS; n++) await call();
    await takeCoverage(child);
    await call();
    return summarize(await takeCoverage(child), packagesFolder);
  } finally {
    child.kill();
    await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a server, warms it up, and counts what one call enters. */
async function measureCall(transport, revision) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), transport], {
    stdio: ["pipe", "pipe", "inherit", "ipc"],
  });
  try {
    const client = transport === "stdio" ? openStdio(child) : await openHttp(child);
    const call = await openSession(client, revision);
    for (let n = 0; n < WARM_UP_CALLS; n++) await call();
    await takeCoverage(child);
    await call();
    return summarize(await takeCoverage(child));
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

async function takeCoverage(child) {
  await sleep(SETTLE_MS);
  child.send("take");
  const [scripts] = await once(child, "message");
  return scripts;
}

function summarize(scripts, folder = outputFolder) {
  const prefix = `${pathToFileURL(folder).href}/`;
  const entered = scripts
    .filter(({ url }) => url.startsWith(prefix) && !url.slice(prefix.length).includes("/node_modules/"))
    .flatMap(({ url, functions }) =>
      functions
        // Initializers of class fields have no source text of their own; the one at 0 is the module itself.
        .filter(({ functionName, ranges: [range] }) => range.count > 0 && !functionName.startsWith("<"))
        .filter(({ ranges: [{ startOffset }] }) => startOffset > 0)
        .map(({ functionName }) => ({ file: url.slice(prefix.length), name: functionName || "(anonymous)" })),
    );
  const files = new Set(entered.map(({ file }) => file));
  return {
    files: files.size,
    filesOf: (isCounted) => [...files].filter(isCounted).length,
    functions: entered.length,
    names: entered.map(({ file, name }) => `  ${file} ${name}`),
  };
}

/** Sends messages over stdio; resolves with the response. */
function openStdio(child) {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (message) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    if (message.id === undefined) return undefined;
    for (;;) {
      const { value } = await lines.next();
      const response = JSON.parse(value);
      if (response.id === message.id) return response;
    }
  };
}

/** Sends messages over HTTP, in the session that the server opens; resolves with the response. */
async function openHttp(child) {
  const [{ url }] = await once(child, "message");
  let sessionId;
  return async (message, headers = {}) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
        ...headers,
      },
      body: JSON.stringify(message),
    });
    sessionId ??= response.headers.get("mcp-session-id") ?? undefined;
    const text = await response.text();
    return message.id === undefined ? undefined : JSON.parse(text);
  };
}

/** Does the handshake if the revision has one, and returns a function that calls the tool. */
async function openSession(send, revision, { name, next, expected } = ECHO) {
  const isStateless = revision === "2026-07-28";
  const versionHeader = { "mcp-protocol-version": revision };
  const headers = isStateless ? { ...versionHeader, "mcp-method": "tools/call", "mcp-name": name } : versionHeader;
  const prefix = "io.modelcontextprotocol";
  const _meta = { [`${prefix}/protocolVersion`]: revision, [`${prefix}/clientCapabilities`]: {} };
  if (!isStateless) {
    const clientInfo = { name: "measure-path", version: "1.0.0" };
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    await send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    await send({ jsonrpc: "2.0", method: "notifications/initialized" }, versionHeader);
  }
  let id = 0;
  return async () => {
    const params = { name, arguments: next(), ...(isStateless && { _meta }) };
    const response = await send({ jsonrpc: "2.0", id: ++id, method: "tools/call", params }, headers);
    const { isError, content } = response.result ?? {};
    if (isError || !expected.test(content?.[0]?.text)) throw new Error(`The call failed: ${JSON.stringify(response)}`);
  };
}

function printTable(rows, edit, sizesOfServer) {
  const sizes = sourceFiles(sourceFolder)
    .map((file) => readFileSync(path.join(sourceFolder, file), "utf8").trimEnd().split("\n").length)
    .sort((a, b) => a - b);
  const of = (transport, member) =>
    rows
      .filter((row) => row.transport === transport)
      .map((row) => row[member])
      .join(" / ");
  const lines = sizes.reduce((sum, size) => sum + size, 0);
  const table = [
    ["", "measured", "target"],
    ["files of a tools/call over stdio (2025-11-25 / 2026-07-28)", of("stdio", "files"), "≤ 18"],
    ["files of a tools/call over HTTP", of("http", "files"), "≤ 24"],
    ["functions of that call over stdio", of("stdio", "functions"), "≤ 60"],
    ["functions of that call over HTTP", of("http", "functions"), "≤ 85"],
    ["lines of source of the engine", lines, "≤ 24000"],
    ["source files of the engine", sizes.length, "≤ 200"],
    ["median lines of a file", sizes[Math.floor(sizes.length / 2)], "90–150"],
    ["names at the package root", rootNames(), "≤ 60"],
    ["server options", serverOptions(), "≤ 25"],
    [
      "files of fs_edit_file over stdio (ready server; with the engine)",
      `${edit.filesOf((file) => !file.startsWith("engine/"))}; ${edit.files}`,
      "≤ 20",
    ],
    ...sizesOfServer,
  ];
  const width = Math.max(...table.map(([label]) => label.length));
  for (const [label, measured, target] of table)
    console.log(`${label.padEnd(width)}  ${String(measured).padEnd(12)}  ${target}`);
}

function rootNames() {
  const text = readFileSync(path.join(sourceFolder, "index.ts"), "utf8");
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => list.split(","));
  const declared = [...text.matchAll(/^export (?:const|function|class|interface|type) \w+/gm)];
  return lists.filter((name) => name.trim() !== "").length + declared.length;
}

/** Counts the members of the table that server options are checked with. */
function serverOptions() {
  const text = readFileSync(path.join(sourceFolder, "server/options.ts"), "utf8");
  const [, table = ""] = /const SERVER_CHECKS[^{]*\{\n(.*?)\n\};/s.exec(text) ?? [];
  return table.split("\n").filter((line) => /^ {2}\w/.test(line)).length;
}

import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const engine = path("../packages/engine/dist/index.js");

/**
 * @typedef {object} BenchServer
 * @property {string} name
 * @property {string} file
 * @property {import("./requests.mjs").Era[]} eras
 * @property {import("./wires/open.mjs").Transport[]} transports
 * @property {string} [peer] the package it comes from
 * @property {boolean} [resources] can offer a resource too
 * @property {boolean} [isBare] ours alone: keeps no messages and traces nothing
 * @property {boolean} [coldOnly] measured from its start to its first answers only
 */

/** @type {import("./requests.mjs").Era[]} */
const bothEras = ["legacy", "modern"];
/** @type {BenchServer} */
const floor = {
  name: "floor",
  file: "servers/floor.mjs",
  eras: bothEras,
  transports: ["stdio", "http"],
  resources: true,
};

/** @type {BenchServer[]} */
const known = [
  floor,
  // The same program once more: what differs between the two is what this run cannot resolve.
  { ...floor, name: "floor-again" },
  {
    name: "ours",
    file: "servers/ours.mjs",
    eras: bothEras,
    transports: ["stdio", "http", "unix", "websocket"],
    resources: true,
  },
  { name: "ours-zod", file: "servers/ours-zod.mjs", eras: bothEras, transports: ["stdio"], coldOnly: true },
  {
    name: "sdk-v1",
    file: "peers/sdk-v1.mjs",
    eras: ["legacy"],
    transports: ["stdio"],
    peer: "@modelcontextprotocol/sdk",
  },
  {
    name: "sdk-v2",
    file: "peers/sdk-v2.mjs",
    eras: bothEras,
    transports: ["stdio", "http"],
    peer: "@modelcontextprotocol/server",
    resources: true,
  },
  { name: "fastmcp", file: "peers/fastmcp.mjs", eras: ["legacy"], transports: ["stdio"], peer: "fastmcp" },
  { name: "tmcp", file: "peers/tmcp.mjs", eras: bothEras, transports: ["stdio"], peer: "tmcp" },
];

/** The servers that can take part: all but those not asked for and, while the engine is not built, our own. */
export function chooseServers(/** @type {string[] | undefined} */ wanted) {
  const unknown = wanted?.find((name) => !known.some((server) => server.name === name));
  if (unknown !== undefined)
    throw new Error(`No server is called "${unknown}": ${known.map((s) => s.name).join(", ")}`);
  return known.filter((server) => {
    if (server.name.startsWith("ours") && !existsSync(engine)) return false;
    // Without the floor there is nothing to compare with.
    return wanted === undefined || wanted.includes(server.name) || server.name.startsWith("floor");
  });
}

/** When the engine was built: figures of a run during which it was built anew are of two engines. */
export function builtAt() {
  return existsSync(engine) ? statSync(engine).mtimeMs : 0;
}

/**
 * What to give to node to start a server.
 * @param {BenchServer} server
 * @param {{ tools?: number, era?: import("./requests.mjs").Era, transport?: import("./wires/open.mjs").Transport, resources?: boolean }} [how]
 */
export function argumentsOf(server, { tools = 20, era = "legacy", transport = "stdio", resources = false } = {}) {
  const extra = server.isBare ? ["bare"] : resources ? ["resources"] : [];
  return [path(server.file), String(tools), era, transport, ...extra];
}

/** Name and version of a peer as installed, for the report. */
export function versionOf(/** @type {BenchServer} */ server) {
  if (server.peer === undefined) return "";
  const manifest = path(`peers/node_modules/${server.peer}/package.json`);
  return `${server.peer} ${JSON.parse(readFileSync(manifest, "utf8")).version}`;
}

import { rmSync } from "node:fs";
import { connect } from "node:net";
import { Connection } from "../connection.mjs";
import { HttpWire } from "./http.mjs";
import { LineWire } from "./lines.mjs";
import { WebSocketWire } from "./websocket.mjs";

/** @typedef {"stdio" | "http" | "unix" | "websocket"} Transport */

/** A server that listens says where in the first line of its output. */
export async function addressOf(/** @type {import("../server-process.mjs").ServerProcess} */ process) {
  const connection = new Connection(process);
  const line = await connection.until(
    (done) => {
      connection.onMessage = (bytes, start, end) => done(bytes.utf8Slice(start, end));
    },
    () => "The server did not say where it listens",
  );
  connection.onMessage = () => {};
  return line;
}

async function connectSocket(/** @type {string} */ path) {
  const socket = connect(path);
  try {
    await new Promise((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
  } finally {
    // The server is killed, so it cannot clean up; a socket in use needs no name.
    rmSync(path, { force: true });
  }
  socket.on("error", () => {});
  return new LineWire(socket, socket);
}

/** Connects to a server that was just started, in the way it is served. */
export async function connectTo(
  /** @type {import("../server-process.mjs").ServerProcess} */ process,
  /** @type {Transport} */ transport,
  /** @type {import("../requests.mjs").Era} */ era,
) {
  if (transport === "stdio") return new Connection(process);
  const address = await addressOf(process);
  const wire =
    transport === "http"
      ? new HttpWire(address, era)
      : transport === "unix"
        ? await connectSocket(address)
        : await WebSocketWire.open(address);
  return new Connection(process, wire);
}

// Serving over WebSocket, and over Unix domain sockets and Windows named pipes.

export type { RunningServer } from "./transports/running-server.js";
export { serveUnixSocket, type UnixSocketOptions } from "./transports/unix-socket.js";
export { serveWebSocket, type WebSocketOptions } from "./transports/websocket/serve-websocket.js";

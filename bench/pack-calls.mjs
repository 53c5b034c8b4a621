const transport = new URL("../packages/engine/dist/transport.js", import.meta.url).href;

/**
 * Connects to a server in this process, and gives what asks it: the answer to a request, as the client would read it.
 * @param {any} server
 */
export async function connectTo(server) {
  const { openMemoryConnection } = await import(transport);
  let answered = (/** @type {string} */ _text) => {};
  const connection = await openMemoryConnection(server, (/** @type {string} */ text) => answered(text));
  const ask = (/** @type {string} */ method, /** @type {object} */ params) =>
    new Promise((resolve) => {
      answered = (text) => resolve(JSON.parse(text));
      connection.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    });
  const clientInfo = { name: "b", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  connection.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return ask;
}

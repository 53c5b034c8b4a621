// Reads a history with the pack analysis in a fresh process, and says in JSON how many commits count and what memory it took.
// argv: the built pack, the repository, a folder for the pack's state.
const engine = await import(new URL("../packages/engine/dist/index.js", import.meta.url).href);
const [pack = "", root = "", state = ""] = process.argv.slice(2);
const { createAnalysis } = await import(pack);
const server = engine.createServer({
  name: "bench",
  version: "1.0.0",
  packs: [createAnalysis(state)({ roots: [root] })],
});
let answered = (/** @type {string} */ _text) => {};
const connection = await engine.openMemory(server, (/** @type {string} */ text) => answered(text));
const ask = (/** @type {string} */ method, /** @type {object} */ params) =>
  new Promise((resolve) => {
    answered = (text) => resolve(JSON.parse(text));
    connection.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  });
await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "b", version: "1" } });
connection.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));

const { result, error } = await ask("tools/call", { name: "analyze_code_churn", arguments: { period_days: 3650 } });
if (error !== undefined || result.isError) throw new Error(error?.message ?? result.content[0].text);
const { summary } = result.structuredContent;
const peak = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ commits: summary.total_commits, files: summary.total_files_changed, peak }));
process.exit(0);

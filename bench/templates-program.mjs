// Opens the pack templates in a fresh process, fills in and lists templates, and says in JSON what each cost in ms of CPU.
// argv: the folder of the built pack.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { connectTo } from "./pack-calls.mjs";

const engine = await import(new URL("../packages/engine/dist/index.js", import.meta.url).href);
const folder = process.argv[2] ?? "";
const warm = 300;
const counted = 1000;

const cpu = (/** @type {NodeJS.CpuUsage} */ since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
const built = (/** @type {string} */ name) => import(pathToFileURL(path.join(folder, name)).href);
const [{ default: templates }, { bindPack }, { createFilePolicy }] = await Promise.all(
  ["index.js", "pack.js", "files.js"].map(built),
);
const files = createFilePolicy({ settings: { roots: [process.cwd()] } });
const server = engine.createServer({
  name: "bench",
  version: "1.0.0",
  packs: [bindPack(templates, { stateFolder: folder, files })()],
});
const ask = await connectTo(server);

/** CPU of one call in ms, and what it gave. */
async function cost(/** @type {string} */ name, /** @type {object} */ args) {
  let last;
  const call = async () => {
    last = await ask("tools/call", { name, arguments: args });
  };
  for (let n = 0; n < warm; n++) await call();
  const before = process.cpuUsage();
  for (let n = 0; n < counted; n++) await call();
  const ms = cpu(before) / counted;
  if (last.result?.isError !== false) throw new Error(JSON.stringify(last));
  return { ms, result: last.result.structuredContent };
}

const made = process.cpuUsage();
const uri = "template://readme/rust/cli";
const generate = { resource_uri: uri, parameters: { project_name: "demo", description: "A demo." } };
await ask("tools/call", { name: "generate_template", arguments: generate });
const first = cpu(made);
const render = await cost("generate_template", generate);
const list = await cost("list_templates", {});
const hundred = (list.ms * 100) / list.result.templates.length;
process.stdout.write(JSON.stringify({ first, render: render.ms, list: hundred }));
process.exit(0);

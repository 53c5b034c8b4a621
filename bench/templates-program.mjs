// Opens the pack templates in a fresh process, fills in and lists templates, and says in JSON what each cost in ms of CPU.
// argv: the folder of the built pack.
import { openBuiltPack } from "./pack-calls.mjs";

const folder = process.argv[2] ?? "";
const warm = 300;
const counted = 1000;

const cpu = (/** @type {NodeJS.CpuUsage} */ since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
const ask = await openBuiltPack({ built: folder, stateFolder: folder, roots: [process.cwd()] });

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

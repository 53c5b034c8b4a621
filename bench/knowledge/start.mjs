import { Connection } from "../connection.mjs";
import { KEPT_MS, main } from "../serve-cold.mjs";
import { ServerProcess } from "../server-process.mjs";
import { median } from "../stats.mjs";

const STARTS = 15;
const LIST = { method: "tools/call", params: { name: "kb_list_collections", arguments: {} } };

/** CPU in ms of a server until it is open to calls, and of the first and the second call that it answers. */
async function start(/** @type {string[]} */ args, /** @type {(typeof LIST)[]} */ calls, staysMs = 0) {
  const server = new ServerProcess([main, "serve", ...args]);
  try {
    const connection = new Connection(server);
    const cpu = async () => (await server.cpuMicros()) / 1000;
    await connection.open("legacy");
    const times = [await cpu()];
    for (const call of calls) {
      const { result, error } = await connection.ask(call);
      if (error !== undefined || result.isError) throw new Error(JSON.stringify(error ?? result.content));
      times.push(await cpu());
    }
    await new Promise((resolve) => setTimeout(resolve, staysMs));
    const [opened, first, second] = times;
    return { opened, first: first - opened, second: second - first };
  } finally {
    await server.kill();
  }
}

/**
 * What the knowledge base adds to the start of `toolwright serve`, in ms of CPU: the pack, and the base that its first call opens.
 * @param {string} state the folder of the base
 */
export async function measureStart(state) {
  const args = (/** @type {boolean} */ has) => ["--no-config", "--state", state, "--set", `packs.knowledge=${has}`];
  await start(args(false), [], KEPT_MS);
  await start(args(true), [LIST, LIST], KEPT_MS);
  const pairs = [];
  for (let round = 0; round < STARTS; round++)
    pairs.push({ without: await start(args(false), []), having: await start(args(true), [LIST, LIST]) });
  return {
    pack: median(pairs.map(({ without, having }) => having.opened - without.opened)),
    base: median(pairs.map(({ having: { first, second } }) => first - second)),
  };
}

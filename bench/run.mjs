// npm run bench: measures what a request costs, and what a start and much traffic cost, side by side with the peers.
import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { measureAnalysis } from "./analysis.mjs";
import { cells } from "./cells.mjs";
import { measureChannels } from "./channels.mjs";
import { drawChart } from "./chart.mjs";
import { measureChurn } from "./churn.mjs";
import { measureColdStarts } from "./cold.mjs";
import { compare } from "./compare.mjs";
import { publish } from "./compare-page.mjs";
import { hasSchedulerAccount, pinToOneCpu } from "./cpu.mjs";
import { installPeers } from "./install-peers.mjs";
import { measureInstallSize } from "./install-size.mjs";
import { measureMemory } from "./memory.mjs";
import { readOptions } from "./options.mjs";
import { writeReport } from "./report.mjs";
import { measureRounds } from "./rounds.mjs";
import { measureServeCold } from "./serve-cold.mjs";
import { killAll } from "./server-process.mjs";
import { builtAt, chooseServers, versionOf } from "./servers.mjs";
import { measureHeldSessions, measurePassedSessions } from "./sessions.mjs";
import { measureStream } from "./stream.mjs";
import { createSummary } from "./summary.mjs";
import { measureSurface } from "./surface.mjs";
import { measureTemplates } from "./templates.mjs";
import { drawTextChart } from "./text-chart.mjs";
import { measureThreats } from "./threats.mjs";
import { measureTodo } from "./todo.mjs";
import { measureInProcess } from "./validate.mjs";
import { measureWatching } from "./watching.mjs";
import { measureWorkstation } from "./workstation.mjs";

const options = readOptions(process.argv.slice(2));
const began = Date.now();
const seconds = () => Math.round((Date.now() - began) / 1000);
const say = (line) => process.stderr.write(`${String(seconds()).padStart(4)} s  ${line}\n`);

process.on("exit", killAll);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
// A bench nobody watches must end: whatever hangs, it is over after this.
setTimeout(() => {
  process.stderr.write("The bench took too long and was given up.\n");
  process.exit(1);
}, options.longestSeconds * 1000).unref();

const servers = chooseServers(options.servers);
const wanted = (name) => options.only === undefined || options.only.test(name);
if (servers.some((server) => server.peer !== undefined) || wanted("analysis")) installPeers();
const chosen = cells.filter((cell) => wanted(cell.name));

const built = builtAt();
const pinned = pinToOneCpu();
const perRequest = await measureRounds({ ...options, cells: chosen, servers, say });
const channels = wanted("channels") ? await measureChannels({ ...options, servers, say }) : undefined;
const watching = wanted("watching") ? await measureWatching({ ...options, servers, say }) : undefined;
const held = wanted("http.sessions")
  ? await measureHeldSessions({ servers, count: options.heldSessions, say })
  : undefined;
const memory = wanted("memory") ? await measureMemory({ servers, calls: options.calls, say }) : undefined;
const stream = wanted("stream") ? await measureStream({ servers, bytes: options.streamBytes, say }) : undefined;
const inProcess =
  wanted("validate") && servers.some(({ name }) => name === "ours") ? await measureInProcess(say) : undefined;
const surface =
  wanted("surface") && servers.some(({ name }) => name === "ours") ? await measureSurface(say) : undefined;
const templates =
  wanted("templates") && servers.some(({ name }) => name === "ours") ? await measureTemplates(say) : undefined;
pinned?.undo();
const passed = wanted("http.sessions")
  ? await measurePassedSessions({ servers, count: options.passedSessions, say })
  : undefined;
const install = wanted("http.install") && built > 0 ? measureInstallSize(say) : undefined;
// Work on files and a start use several threads, as they do in daily life, so they are measured on all CPUs.
const workstation = wanted("workstation") ? await measureWorkstation({ ...options, say }) : undefined;
const churn = wanted("churn") ? await measureChurn({ ...options, say }) : undefined;
const todo = wanted("todo") ? await measureTodo({ ...options, say }) : undefined;
const serveCold = wanted("serve-cold") ? await measureServeCold({ ...options, say }) : undefined;
const threats = wanted("threats") ? await measureThreats({ ...options, say }) : undefined;
const analysis = wanted("analysis") ? await measureAnalysis({ ...options, say }) : undefined;
const cold = wanted("cold") ? await measureColdStarts({ servers, starts: options.starts, say }) : undefined;

const floorPasses = perRequest.measurements.filter(({ server }) => server.startsWith("floor"));
const disturbed = floorPasses.filter((pass) => pass.disturbed).length;
const results = {
  circumstances: [
    `- Node ${process.versions.node}, ${os.platform()} ${os.arch()}, ${os.cpus().length} × ${os.cpus()[0]?.model.trim()}`,
    `- ${options.rounds} rounds of fresh processes × ${options.passes} passes of ${options.passMillis} ms; medians of the ratios within a pass, ± half the distance of the quartiles`,
    hasSchedulerAccount
      ? "- CPU time of all threads of the server, as the scheduler reports it"
      : "- CPU time as each server reports it (the system has no scheduler statistics)",
    pinned
      ? `- client and server on CPU ${pinned.cpu} alone`
      : "- not pinned to a CPU (no taskset): trust the ratios less",
    ...(floorPasses.length > 0
      ? [`- others used more than 15% of the CPU in ${disturbed} of ${floorPasses.length} passes of the floor`]
      : []),
    ...servers.filter((server) => server.peer !== undefined).map((server) => `- ${server.name} = ${versionOf(server)}`),
    ...(built === builtAt()
      ? []
      : ["- **the engine was built anew meanwhile: the figures of ours are of two builds**"]),
    `- took ${seconds()} s`,
  ],
  servers,
  cells: chosen.map((cell) => cell.name),
  calls: options.calls.toLocaleString("en-US"),
  streamMegabytes: options.streamBytes / 1e6,
  heldSessions: options.heldSessions.toLocaleString("en-US"),
  measurements: [perRequest, channels, watching].flatMap((part) => part?.measurements ?? []),
  lenient: perRequest.lenient,
  otherRevisions: perRequest.otherRevisions,
  cold: cold?.measured ?? [],
  memory: memory?.measured ?? [],
  stream: stream?.measured ?? [],
  sessions: held?.measured ?? [],
  passedSessions: passed?.measured,
  install: install?.measured,
  inProcess,
  surface,
  templates,
  analysis,
  churn,
  todo,
  threats,
  serveCold,
  workstation: workstation?.measured,
  failures: [perRequest, channels, watching, cold, memory, held, passed, install, stream, workstation].flatMap(
    (part) => part?.failures ?? [],
  ),
};
const summary = createSummary(results);
const names = servers.filter((server) => !server.coldOnly).map((server) => server.name);
process.stdout.write(`${writeReport(results, summary)}\n${drawTextChart(summary, names)}`);

const folder = fileURLToPath(new URL("results/", import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}chart.svg`, drawChart(summary, names, results.calls));
if (options.page) publish(compare(results, summary, new Date().toISOString().slice(0, 10)));
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, undefined, 1));
process.stderr.write(`\nThe chart is in bench/results/chart.svg. It took ${seconds()} s.\n`);

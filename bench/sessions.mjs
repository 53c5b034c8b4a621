import { connect } from "node:net";
import { initialized, messageForm, openingOf, revisionOf } from "./requests.mjs";
import { ServerProcess } from "./server-process.mjs";
import { argumentsOf } from "./servers.mjs";
import { sessionOf, writeHead } from "./wires/http.mjs";
import { HttpChannel } from "./wires/http-channel.mjs";
import { addressOf } from "./wires/open.mjs";

/** @typedef {{ server: string, live: number, resident: number, cpu: number }} HeldSessions KiB and µs for each */
/** @typedef {{ count: number, before: number, after: number }} PassedSessions live heap in MiB */

const kibibyte = 1024;
const mebibyte = 2 ** 20;
// Code that is compiled at its first use is no part of a session, so the first ones are not counted.
const sessionsBefore = 100;
const passedBefore = 10_000;
const atOnce = 8;
const mostSeconds = 90;

const opening = messageForm(openingOf("legacy")).bytes;

function post(url, body, fields = {}) {
  const head = writeHead(url, "POST", { "Content-Type": "application/json", ...fields, "Content-Length": body.length });
  return Buffer.concat([Buffer.from(head), body]);
}

const sessionFields = (session) => ({ "MCP-Protocol-Version": revisionOf.legacy, "Mcp-Session-Id": session });

async function initialize(/** @type {HttpChannel} */ channel, /** @type {URL} */ url) {
  const { status, head } = await channel.ask(post(url, opening));
  const session = sessionOf(head);
  if (status !== 200 || session === undefined) throw new Error(`initialize was answered with ${status} and no session`);
  return session;
}

/** Opens the stream on which a server speaks to a session; resolves when its head is there. */
function openStream(/** @type {URL} */ url, /** @type {string} */ session) {
  const socket = connect(Number(url.port), url.hostname);
  return new Promise((resolve, reject) => {
    socket.once("data", (/** @type {Buffer} */ chunk) => {
      const line = chunk.latin1Slice(0, chunk.indexOf(13));
      if (line.startsWith("HTTP/1.1 200")) resolve(socket);
      else reject(new Error(`The stream of a session was answered with ${line}`));
    });
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("The server closed the stream of a session")));
    socket.write(writeHead(url, "GET", { ...sessionFields(session), Accept: "text/event-stream" }));
  });
}

/** Runs work so many times, several at once, each over a connection of its own. */
async function repeat(
  /** @type {URL} */ url,
  /** @type {number} */ times,
  /** @type {(channel: HttpChannel) => Promise<void>} */ useChannel,
) {
  let left = times;
  const work = async () => {
    const channel = new HttpChannel(url);
    while (left-- > 0) await useChannel(channel);
    channel.close();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** The live heap and resident memory once everything that can be collected is. */
async function collected(/** @type {ServerProcess} */ process) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  await process.report();
  return await process.report();
}

async function startHttp(server, work) {
  const process = new ServerProcess(argumentsOf(server, { transport: "http" }), { probe: "heap" });
  let timer;
  try {
    const url = new URL(await addressOf(process));
    const tooLong = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it took more than ${mostSeconds} s`)), mostSeconds * 1000);
    });
    return await Promise.race([work(process, url), tooLong]);
  } catch (error) {
    throw new Error(`${error.message}. ${process.complaints}`, { cause: error });
  } finally {
    clearTimeout(timer);
    await process.kill();
  }
}

/** @returns {Promise<HeldSessions>} */
async function hold(server, count) {
  return await startHttp(server, async (process, url) => {
    /** @type {import("node:net").Socket[]} */
    const streams = [];
    const open = async (channel) => {
      const session = await initialize(channel, url);
      await channel.ask(post(url, initialized.bytes, sessionFields(session)));
      streams.push(await openStream(url, session));
    };
    await repeat(url, sessionsBefore, open);
    const before = await collected(process);
    const cpuBefore = await process.cpuMicros();
    await repeat(url, count, open);
    const cpu = (await process.cpuMicros()) - cpuBefore;
    const after = await collected(process);
    const gone = streams.filter((stream) => stream.destroyed).length;
    for (const stream of streams) stream.destroy();
    if (gone > 0) throw new Error(`${gone} of ${streams.length} streams did not stay open`);
    return {
      server: server.name,
      live: (after.heapUsed - before.heapUsed) / kibibyte / count,
      resident: (after.rss - before.rss) / kibibyte / count,
      cpu: cpu / count,
    };
  });
}

/**
 * What a session costs that is held open with its stream: live heap, resident memory and the CPU time to open it.
 * @param {{ servers: import("./servers.mjs").BenchServer[], count: number, say: (line: string) => void }} plan
 */
export async function measureHeldSessions({ servers, count, say }) {
  /** @type {HeldSessions[]} */
  const measured = [];
  const failures = [];
  const able = servers.filter((one) => one.transports.includes("http") && one.name !== "floor-again");
  for (const server of able) {
    for (let turn = 0; turn < (server.peer === undefined ? 3 : 1); turn++) {
      try {
        const use = await hold(server, count);
        measured.push(use);
        say(
          `sessions  ${server.name.padEnd(8)} ${use.live.toFixed(2)} KiB live, ${use.resident.toFixed(1)} KiB resident, ${use.cpu.toFixed(0)} µs to open, each of ${count}`,
        );
      } catch (error) {
        failures.push(`${server.name} sessions: ${error.message}`);
      }
    }
  }
  return { measured, failures };
}

/**
 * The live heap of our server before and after many sessions were opened and closed: nothing of them may stay.
 * @param {{ servers: import("./servers.mjs").BenchServer[], count: number, say: (line: string) => void }} plan
 */
export async function measurePassedSessions({ servers, count, say }) {
  const ours = servers.find(({ name }) => name === "ours");
  if (ours === undefined) return { measured: undefined, failures: [] };
  try {
    /** @type {PassedSessions} */
    const measured = await startHttp(ours, async (process, url) => {
      const openAndClose = async (channel) => {
        const session = await initialize(channel, url);
        const { status } = await channel.ask(Buffer.from(writeHead(url, "DELETE", sessionFields(session))));
        if (status >= 300) throw new Error(`DELETE was answered with ${status}`);
      };
      await repeat(url, passedBefore, openAndClose);
      const before = await collected(process);
      await repeat(url, count, openAndClose);
      const after = await collected(process);
      return { count, before: before.heapUsed / mebibyte, after: after.heapUsed / mebibyte };
    });
    say(
      `sessions  ours     live heap ${measured.before.toFixed(2)} -> ${measured.after.toFixed(2)} MiB over ${count} opened and closed`,
    );
    return { measured, failures: [] };
  } catch (error) {
    return { measured: undefined, failures: [`ours sessions opened and closed: ${error.message}`] };
  }
}

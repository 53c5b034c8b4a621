import { Random } from "../fuzz/random.js";
import { ConnectionClient } from "./connection-client.js";
import { type Connection, openSocket, openWebSocket, stdioConnection } from "./connections.js";
import type { Endpoint } from "./http-post.js";
import { OLDER, STATELESS } from "./messages.js";
import type { RequestTracker } from "./request-tracker.js";
import { ServerProcess } from "./server-process.js";
import { SessionClient } from "./session-client.js";
import { StatelessClient } from "./stateless-client.js";

/** What the clients of one round share. */
export interface Round {
  readonly root: URL;
  readonly endpoint: Endpoint;
  readonly socket: string;
  readonly tracker: RequestTracker;
  readonly isLate: () => boolean;
}

/** One client session; repeated with new clients until the round is over. */
type Scenario = (round: Round, random: Random, name: string) => Promise<void>;

const REVISIONS = [STATELESS, ...OLDER];
/** The oldest revision has no sessions over HTTP. */
const SESSIONS = OLDER.slice(0, 3);

async function runConnection(connection: Connection, round: Round, random: Random, name: string): Promise<void> {
  const client = await openClient(connection, round, random, name);
  if (random.oneIn(3)) client.disconnect();
  else await client.close();
}

/** A client that has done its handshake and sent requests. */
async function openClient(
  connection: Connection,
  { tracker, isLate }: Round,
  random: Random,
  name: string,
): Promise<ConnectionClient> {
  const client = new ConnectionClient(connection, random, tracker, name, random.pick(REVISIONS));
  await client.initialize();
  await client.sendRequests(5 + random.below(30), isLate);
  return client;
}

const webSocket: Scenario = async (round, random, name) =>
  runConnection(await openWebSocket(round.endpoint.url.href), round, random, name);

const socket: Scenario = async (round, random, name) => {
  const connection = await openSocket(round.socket);
  if (random.oneIn(3)) return (await openClient(connection, round, random, name)).closeEarly();
  await runConnection(connection, round, random, name);
};

const stateless: Scenario = ({ endpoint, tracker, isLate }, random, name) =>
  new StatelessClient(endpoint, random, tracker, name).sendRequests(40, isLate);

const session: Scenario = async ({ endpoint, tracker, isLate }, random, name) => {
  const client = new SessionClient(endpoint, random, tracker, name, random.pick(SESSIONS));
  await client.initialize();
  await client.sendRequests(5 + random.below(30), isLate);
  const action = random.below(5);
  if (action === 0) client.disconnect();
  else if (action === 1) await client.closeEarly();
  else await client.close();
};

/** A process for one client; it must exit with 0 however the client disconnects. */
const shortProcess: Scenario = async (round, random, name) => {
  const server = new ServerProcess(round.root);
  server.child.stderr?.resume();
  const connection = stdioConnection(server.child);
  const client = new ConnectionClient(connection, random, round.tracker, name, random.pick(REVISIONS));
  await client.initialize();
  await client.sendRequests(5 + random.below(20), round.isLate);
  switch (random.below(4)) {
    case 0:
      await client.close();
      break;
    case 1:
      await client.closeEarly();
      break;
    case 2:
      await client.settle();
      server.child.kill("SIGTERM");
      break;
    default:
      client.disconnect();
  }
  const code = await server.end();
  if (code !== 0) round.tracker.fail(`${name}: the process ended with ${code}`);
};

/** Concurrent clients of each kind; few enough for two cores. */
const CLIENTS: readonly [kind: string, count: number, Scenario][] = [
  ["stateless", 3, stateless],
  ["session", 3, session],
  ["websocket", 2, webSocket],
  ["socket", 2, socket],
  ["process", 1, shortProcess],
];

/** Runs all clients until the round is over. */
export async function runClients(round: Round, seed: number, number: number): Promise<void> {
  const runs = CLIENTS.flatMap(([kind, count, scenario], at) =>
    Array.from({ length: count }, async (_, index) => {
      const random = new Random(seed + number * 1000 + at * 100 + index);
      try {
        for (let turn = 0; !round.isLate(); turn += 1)
          await scenario(round, random, `${kind}${index}.${number}.${turn}`);
      } catch (error) {
        round.tracker.fail(`${kind}${index}.${number}: ${String(error)}`);
      }
    }),
  );
  await Promise.all(runs);
}

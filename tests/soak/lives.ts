import { Dice } from "../fuzz/dice.js";
import { OLDER, STATELESS } from "./eras.js";
import type { Place } from "./http-post.js";
import type { Ledger } from "./ledger.js";
import { ServerProcess } from "./server-process.js";
import { SessionClient } from "./session-client.js";
import { StatelessClient } from "./stateless-client.js";
import { Talker } from "./talker.js";
import { openSocket, openWebSocket, stdioWire, type Wire } from "./wires.js";

/** What the clients of one round share. */
export interface Round {
  readonly root: URL;
  readonly place: Place;
  readonly socket: string;
  readonly ledger: Ledger;
  readonly isLate: () => boolean;
}

/** One client after the other, until the round is over. */
type Life = (round: Round, dice: Dice, name: string) => Promise<void>;

const REVISIONS = [STATELESS, ...OLDER];
/** The oldest one knows nothing of sessions over HTTP. */
const SESSIONS = OLDER.slice(0, 3);

async function connectAndTalk(wire: Wire, { ledger, isLate }: Round, dice: Dice, name: string): Promise<void> {
  const talker = new Talker(wire, dice, ledger, name, dice.pick(REVISIONS));
  await talker.shakeHands();
  await talker.talk(5 + dice.roll(30), isLate);
  if (dice.oneIn(3)) talker.vanish();
  else await talker.leave();
}

const webSocket: Life = async (round, dice, name) =>
  connectAndTalk(await openWebSocket(round.place.url.href), round, dice, name);

const socket: Life = async (round, dice, name) => {
  const wire = await openSocket(round.socket);
  if (dice.oneIn(3)) return talkToTheLast(wire, round, dice, name);
  await connectAndTalk(wire, round, dice, name);
};

async function talkToTheLast(wire: Wire, { ledger, isLate }: Round, dice: Dice, name: string): Promise<void> {
  const talker = new Talker(wire, dice, ledger, name, dice.pick(REVISIONS));
  await talker.shakeHands();
  await talker.talk(5 + dice.roll(30), isLate);
  await talker.leaveEarly();
}

const stateless: Life = ({ place, ledger, isLate }, dice, name) =>
  new StatelessClient(place, dice, ledger, name).talk(40, isLate);

const session: Life = async ({ place, ledger, isLate }, dice, name) => {
  const client = new SessionClient(place, dice, ledger, name, dice.pick(SESSIONS));
  await client.shakeHands();
  await client.talk(5 + dice.roll(30), isLate);
  const way = dice.roll(5);
  if (way === 0) client.vanish();
  else if (way === 1) await client.leaveEarly();
  else await client.leave();
};

/** A process of its own for one client; it must end well whichever way the client goes. */
const brief: Life = async (round, dice, name) => {
  const server = new ServerProcess(round.root);
  server.child.stderr?.resume();
  const wire = stdioWire(server.child);
  const talker = new Talker(wire, dice, round.ledger, name, dice.pick(REVISIONS));
  await talker.shakeHands();
  await talker.talk(5 + dice.roll(20), round.isLate);
  switch (dice.roll(4)) {
    case 0:
      await talker.leave();
      break;
    case 1:
      await talker.leaveEarly();
      break;
    case 2:
      await talker.rest();
      server.child.kill("SIGTERM");
      break;
    default:
      talker.vanish();
  }
  const code = await server.end();
  if (code !== 0) round.ledger.wrong(`${name}: the process ended with ${code}`);
};

/** How many clients there are of each kind at once; moderate, so that two cores have time for them. */
const CROWD: readonly [kind: string, count: number, Life][] = [
  ["stateless", 3, stateless],
  ["session", 3, session],
  ["websocket", 2, webSocket],
  ["socket", 2, socket],
  ["brief", 1, brief],
];

/** Everybody talks until the round is over. */
export async function talkAll(round: Round, seed: number, number: number): Promise<void> {
  const lives = CROWD.flatMap(([kind, count, life], at) =>
    Array.from({ length: count }, async (_, which) => {
      const dice = new Dice(seed + number * 1000 + at * 100 + which);
      try {
        for (let turn = 0; !round.isLate(); turn += 1) await life(round, dice, `${kind}${which}.${number}.${turn}`);
      } catch (error) {
        round.ledger.wrong(`${kind}${which}.${number}: ${String(error)}`);
      }
    }),
  );
  await Promise.all(lives);
}

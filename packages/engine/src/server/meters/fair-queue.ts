import { Lane, Line, Ticket } from "./lanes.js";
import type { Metered } from "./meter.js";
import type { Share } from "./share.js";
import { Stop, Stops } from "./stops.js";

/**
 * The calls that wait. Clients take turns for the places of the server; a client whose principal has no room left, and calls
 * whose tool has none, stand aside until there is some, and keep nobody else from going on. What one admission costs does not
 * depend on how many wait.
 */
export class FairQueue {
  readonly #server: Share;
  readonly #lanes = new Map<unknown, Lane>();
  /** The clients that need nothing but a place of the server, the next one first. */
  readonly #turns: Stop<Lane>;
  readonly #tools: Stops<Line>;
  readonly #principals: Stops<Lane>;
  #lastNumber = 0;

  /** `onRoom` hears that time has made room: `next` may give a call. */
  constructor(server: Share, onRoom: () => void) {
    this.#server = server;
    this.#turns = new Stop(server, onRoom);
    this.#tools = new Stops((line) => this.#ready(line), onRoom);
    this.#principals = new Stops((lane) => this.#enter(lane), onRoom);
  }

  /** Whether a client only waits for a place of the server. */
  get hasTurn(): boolean {
    return this.#turns.held.size > 0;
  }

  add(call: Metered, tool: Share | undefined, principal: Share | undefined): Ticket {
    const lane = this.#laneOf(clientOf(call), principal);
    const line = this.#lineOf(lane, tool);
    this.#lastNumber += 1;
    const ticket = new Ticket(call, line, this.#lastNumber);
    line.tickets.add(ticket);
    this.#count(line, 1);
    if (line.tickets.size === 1) this.#place(line);
    this.#turns.arm();
    return ticket;
  }

  /** The call to be let in now, which has taken what it uses; undefined = none can be. */
  next(): Ticket | undefined {
    for (
      let lane = this.#turns.held.first;
      lane !== undefined && this.#server.room >= 1;
      lane = this.#turns.held.first
    ) {
      const line = lane.next as Line;
      const ticket = line.tickets.first as Ticket;
      // Both were offered room, but others may have been faster.
      if (lane.stop !== undefined && lane.stop.share.room < 1) {
        this.#withdraw(lane);
        lane.stop.hold(lane);
      } else if (line.stop !== undefined && line.stop.share.room < 1) this.#setAside(line, line.stop);
      else {
        for (const share of [this.#server, line.stop?.share, lane.stop?.share]) share?.take();
        this.#advance(lane, line, ticket);
        return ticket;
      }
    }
    this.#turns.arm();
    return undefined;
  }

  /** Takes out a call that waits no longer. */
  remove(ticket: Ticket): void {
    const { line } = ticket;
    line.tickets.delete(ticket);
    this.#count(line, -1);
    if (line.tickets.size === 0) this.#drop(line);
  }

  /** A call has given back what it used of these. */
  freed(tool: Share | undefined, principal: Share | undefined): void {
    this.#tools.wake(tool);
    this.#principals.wake(principal);
  }

  /** How many calls go before one that a client brings now, at most. */
  aheadOf(call: Metered): number {
    const lane = this.#lanes.get(clientOf(call));
    const own = lane?.size ?? 0;
    const others = this.#lanes.size - (lane === undefined ? 0 : 1);
    return Math.min(this.#server.waiting, own + (own + 1) * others);
  }

  /** The last call of the client with the most of them, if that has more than this one's client would have with it. */
  surplusFor(call: Metered): Ticket | undefined {
    let most = (this.#lanes.get(clientOf(call))?.size ?? 0) + 1;
    let longest: Lane | undefined;
    for (const lane of this.#lanes.values()) {
      if (lane.size <= most) continue;
      most = lane.size;
      longest = lane;
    }
    return longest?.last;
  }

  /** All calls, in the order in which their clients' turns come. */
  *inOrder(): Generator<Ticket> {
    const others = [...this.#lanes.values()].filter(({ chain }) => chain !== this.#turns.held);
    let waiting = [...this.#turns.held, ...others].map((lane) => lane.tickets());
    for (let round = 0; waiting.length > 0; round += 1) {
      waiting = waiting.filter(({ length }) => length > round);
      for (const tickets of waiting) yield tickets[round] as Ticket;
    }
  }

  #laneOf(client: unknown, principal: Share | undefined): Lane {
    let lane = this.#lanes.get(client);
    if (lane !== undefined) return lane;
    lane = new Lane(client, principal && this.#principals.of(principal));
    this.#lanes.set(client, lane);
    return lane;
  }

  #lineOf(lane: Lane, tool: Share | undefined): Line {
    let line = lane.lines.get(tool);
    if (line !== undefined) return line;
    line = new Line(lane, tool && this.#tools.of(tool));
    lane.lines.set(tool, line);
    return line;
  }

  #count({ lane, stop }: Line, by: 1 | -1): void {
    lane.size += by;
    for (const share of [this.#server, stop?.share, lane.stop?.share]) if (share !== undefined) share.waiting += by;
  }

  /** The first of a line has been let in: the client has had its turn. */
  #advance(lane: Lane, line: Line, ticket: Ticket): void {
    this.#withdraw(lane);
    this.remove(ticket);
    if (line.tickets.size > 0) {
      lane.ready.delete(line);
      this.#place(line);
    }
    if (lane.ready.size > 0 && lane.chain === undefined) this.#turn(lane);
  }

  #place(line: Line): void {
    const { stop } = line;
    // Time may have made room that those who wait already come first for.
    this.#tools.wake(stop?.share);
    if (stop === undefined || stop.hasRoom) this.#ready(line);
    else stop.hold(line);
  }

  #ready(line: Line): void {
    const { lane } = line;
    lane.ready.add(line);
    if (lane.chain === this.#turns.held) offer(line);
    else if (lane.chain === undefined) this.#turn(lane);
  }

  #turn(lane: Lane): void {
    if (lane.stop === undefined || lane.stop.hasRoom) this.#enter(lane);
    else lane.stop.hold(lane);
  }

  #enter(lane: Lane): void {
    this.#turns.held.add(lane);
    if (lane.stop !== undefined) lane.stop.offered += 1;
    for (const line of lane.ready) offer(line);
  }

  /** Takes a client out of the turns; what it was offered goes to others. */
  #withdraw(lane: Lane): void {
    if (!this.#turns.held.delete(lane)) return;
    for (const line of lane.ready) this.#takeBack(line);
    if (lane.stop === undefined) return;
    lane.stop.offered -= 1;
    this.#principals.wake(lane.stop.share);
  }

  #takeBack(line: Line): void {
    if (!line.isOffered || line.stop === undefined) return;
    line.isOffered = false;
    line.stop.offered -= 1;
    this.#tools.wake(line.stop.share);
  }

  #setAside(line: Line, stop: Stop<Line>): void {
    const { lane } = line;
    lane.ready.delete(line);
    this.#takeBack(line);
    stop.hold(line);
    if (lane.ready.size === 0) this.#withdraw(lane);
  }

  /** Forgets a line in which nobody waits any more. */
  #drop(line: Line): void {
    const { lane, stop } = line;
    lane.lines.delete(stop?.share);
    stop?.held.delete(line);
    lane.ready.delete(line);
    this.#takeBack(line);
    if (lane.ready.size === 0) {
      lane.stop?.held.delete(lane);
      this.#withdraw(lane);
    }
    if (lane.size === 0) this.#lanes.delete(lane.client);
    this.#tools.forget(stop?.share);
    this.#principals.forget(lane.stop?.share);
  }
}

/** Whoever takes turns with others: a principal, or a session where nobody is told apart. */
const clientOf = ({ link }: Metered): unknown => link.principal ?? link.session;

function offer(line: Line): void {
  if (line.isOffered || line.stop === undefined) return;
  line.isOffered = true;
  line.stop.offered += 1;
}

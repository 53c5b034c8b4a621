import { Chain, type Linked } from "./chain.js";
import type { Metered, Place } from "./meter.js";
import type { Share } from "./share.js";
import type { Stop } from "./stops.js";

/** A call that waits. */
export class Ticket implements Place, Linked<Ticket> {
  readonly call: Metered;
  readonly line: Line;
  /** Grows with each call that comes to wait. */
  readonly number: number;
  chain: object | undefined;
  before: Ticket | undefined;
  after: Ticket | undefined;
  admittedAt = 0;
  /** It was turned away while it waited. */
  isRefused = false;
  /** Ends the wait of a caller that waits no longer. */
  timer: NodeJS.Timeout | undefined;

  constructor(call: Metered, line: Line, number: number) {
    this.call = call;
    this.line = line;
    this.number = number;
  }

  get isWaiting(): boolean {
    return this.chain !== undefined;
  }
}

/** The calls of one client that wait for the same tool, or for any without limits of its own: none overtakes another. */
export class Line implements Linked<Line> {
  readonly lane: Lane;
  readonly stop: Stop<Line> | undefined;
  readonly tickets = new Chain<Ticket>();
  chain: object | undefined;
  before: Line | undefined;
  after: Line | undefined;
  isOffered = false;

  constructor(lane: Lane, stop: Stop<Line> | undefined) {
    this.lane = lane;
    this.stop = stop;
  }
}

/** All calls of one client that wait. Clients take turns, so the calls of each have a lane of their own. */
export class Lane implements Linked<Lane> {
  readonly client: unknown;
  readonly stop: Stop<Lane> | undefined;
  readonly lines = new Map<Share | undefined, Line>();
  /** The lines that need nothing more but the client's turn. */
  readonly ready = new Set<Line>();
  chain: object | undefined;
  before: Lane | undefined;
  after: Lane | undefined;
  size = 0;

  constructor(client: unknown, stop: Stop<Lane> | undefined) {
    this.client = client;
    this.stop = stop;
  }

  /** The ready line whose first call has waited longest. */
  get next(): Line | undefined {
    let oldest: Line | undefined;
    for (const line of this.ready) if (oldest === undefined || firstOf(line) < firstOf(oldest)) oldest = line;
    return oldest;
  }

  /** The call that came last. */
  get last(): Ticket | undefined {
    let newest: Ticket | undefined;
    for (const { tickets } of this.lines.values())
      if (newest === undefined || (tickets.last?.number ?? 0) > newest.number) newest = tickets.last;
    return newest;
  }

  /** All of them, in the order in which they came. */
  tickets(): Ticket[] {
    const all = [...this.lines.values()].flatMap(({ tickets }) => [...tickets]);
    return this.lines.size === 1 ? all : all.sort((one, other) => one.number - other.number);
  }
}

const firstOf = ({ tickets }: Line): number => tickets.first?.number ?? Number.POSITIVE_INFINITY;

import { LONGEST_WAIT_MS } from "../limits.js";
import { Chain, type Linked } from "./chain.js";
import type { Share } from "./share.js";

/** Where those wait for whom a share has no room. */
export class Stop<Item extends Linked<Item>> {
  readonly share: Share;
  readonly held = new Chain<Item>();
  /** How many were let go on, and have neither used the room nor given it back. */
  offered = 0;
  readonly #onTime: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onTime` hears that time alone has made room. */
  constructor(share: Share, onTime: () => void) {
    this.share = share;
    this.#onTime = onTime;
  }

  get hasRoom(): boolean {
    return this.share.room > this.offered;
  }

  hold(item: Item): void {
    this.held.add(item);
    this.arm();
  }

  /** Lets go on as many as there is room for. */
  wake(go: (item: Item) => void): void {
    for (let item = this.held.first; item !== undefined && this.hasRoom; item = this.held.first) {
      this.held.delete(item);
      go(item);
    }
    this.arm();
  }

  /** Looks again when there will be room, where nothing but time can make some. */
  arm(): void {
    const { bucket } = this.share;
    if (bucket === undefined || this.#timer !== undefined || this.held.size === 0 || bucket.left >= 1) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#onTime();
      },
      Math.min(bucket.waitMs(1), LONGEST_WAIT_MS),
    );
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** The stops of many shares; there is one for each share that somebody waits for. */
export class Stops<Item extends Linked<Item>> {
  readonly #stops = new Map<Share, Stop<Item>>();
  readonly #go: (item: Item) => void;
  readonly #onRoom: () => void;

  /** `go` takes those that may go on; `onRoom` hears when time has let some. */
  constructor(go: (item: Item) => void, onRoom: () => void) {
    this.#go = go;
    this.#onRoom = onRoom;
  }

  of(share: Share): Stop<Item> {
    let stop = this.#stops.get(share);
    if (stop !== undefined) return stop;
    stop = new Stop<Item>(share, () => {
      this.wake(share);
      this.#onRoom();
    });
    this.#stops.set(share, stop);
    return stop;
  }

  /** A share may have room again. */
  wake(share: Share | undefined): void {
    if (share !== undefined) this.#stops.get(share)?.wake(this.#go);
  }

  /** Nobody may wait for a share any more. */
  forget(share: Share | undefined): void {
    if (share === undefined || share.waiting > 0) return;
    this.#stops.get(share)?.close();
    this.#stops.delete(share);
  }
}

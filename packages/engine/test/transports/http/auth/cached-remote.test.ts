import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CachedRemote } from "../../../../src/transports/http/auth/issuer.js";

const MINUTE = 60_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["hrtime"] }));
afterEach(() => void vi.useRealTimers());

/** A remote value that counts how often it is fetched, and can be unavailable. */
function source() {
  const state = { fetches: 0, isDown: false, log: [] as string[] };
  const load = async () => {
    state.fetches += 1;
    await Promise.resolve();
    if (state.isDown) throw new Error(`down ${state.fetches}`);
    return `answer ${state.fetches}`;
  };
  const remote = new CachedRemote(10 * MINUTE, load, ({ level, message }) => state.log.push(`${level}: ${message}`));
  return { state, remote };
}

describe("a cached remote value", () => {
  test("is fetched once for concurrent callers, and again when it is stale", async () => {
    const { remote } = source();
    expect(remote.cached).toBeUndefined();
    expect(await Promise.all([remote.get(), remote.get()])).toEqual(["answer 1", "answer 1"]);
    vi.advanceTimersByTime(10 * MINUTE - 1);
    expect(await remote.get()).toBe("answer 1");
    vi.advanceTimersByTime(1);
    expect(await remote.get()).toBe("answer 2");
    expect(remote.cached).toBe("answer 2");
  });

  test("is used for a day while the remote server is down, with a fetch every ten seconds at most", async () => {
    const { remote, state } = source();
    await remote.get();
    state.isDown = true;
    vi.advanceTimersByTime(11 * MINUTE);
    expect(await remote.get()).toBe("answer 1");
    expect(await remote.get()).toBe("answer 1");
    expect(state.fetches).toBe(2);
    vi.advanceTimersByTime(10_000);
    expect(await remote.get()).toBe("answer 1");
    expect(state.fetches).toBe(3);
    vi.advanceTimersByTime((24 * 60 - 11) * MINUTE - 10_000);
    await expect(remote.get()).rejects.toThrow("down 4");
    expect(remote.cached).toBeUndefined();
    expect(state.log).toEqual(["warning: down 2", "warning: down 3", "warning: down 4"]);
  });

  test("throws the last error while there is no value, without fetching each time", async () => {
    const { remote, state } = source();
    state.isDown = true;
    await expect(remote.get()).rejects.toThrow("down 1");
    await expect(remote.get()).rejects.toThrow("down 1");
    state.isDown = false;
    vi.advanceTimersByTime(10_000);
    expect(await remote.get()).toBe("answer 2");
  });

  test("is refreshed on demand, but not twice in a row", async () => {
    const { remote } = source();
    await remote.get();
    // A key may be new although the others were fetched just now.
    expect(await Promise.all([remote.refresh(), remote.refresh()])).toEqual([true, true]);
    expect(remote.cached).toBe("answer 2");
    expect(await remote.refresh()).toBe(false);
    expect(await remote.get()).toBe("answer 2");
    expect(await remote.refresh()).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(await remote.refresh()).toBe(true);
  });
});

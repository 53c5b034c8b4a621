import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Remote } from "./remote.js";

const MINUTE = 60_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["hrtime"] }));
afterEach(() => void vi.useRealTimers());

/** A source that counts how often it is asked, and can be down. */
function source() {
  const state = { asked: 0, isDown: false };
  const remote = new Remote(10 * MINUTE, async () => {
    state.asked += 1;
    await Promise.resolve();
    if (state.isDown) throw new Error(`down ${state.asked}`);
    return `answer ${state.asked}`;
  });
  return { state, remote };
}

describe("what another server knows", () => {
  test("is asked for once, however many need it, and again when it is old", async () => {
    const { remote } = source();
    expect(remote.known).toBeUndefined();
    expect(await Promise.all([remote.get(), remote.get()])).toEqual(["answer 1", "answer 1"]);
    vi.advanceTimersByTime(10 * MINUTE - 1);
    expect(await remote.get()).toBe("answer 1");
    vi.advanceTimersByTime(1);
    expect(await remote.get()).toBe("answer 2");
    expect(remote.known).toBe("answer 2");
  });

  test("is used for a day while that server is down, which is asked every ten seconds at most", async () => {
    const { remote, state } = source();
    await remote.get();
    state.isDown = true;
    vi.advanceTimersByTime(11 * MINUTE);
    expect(await remote.get()).toBe("answer 1");
    expect(await remote.get()).toBe("answer 1");
    expect(state.asked).toBe(2);
    vi.advanceTimersByTime(10_000);
    expect(await remote.get()).toBe("answer 1");
    expect(state.asked).toBe(3);
    vi.advanceTimersByTime((24 * 60 - 11) * MINUTE - 10_000);
    await expect(remote.get()).rejects.toThrow("down 4");
    expect(remote.known).toBeUndefined();
  });

  test("fails with the last reason while there is none, without asking each time", async () => {
    const { remote, state } = source();
    state.isDown = true;
    await expect(remote.get()).rejects.toThrow("down 1");
    await expect(remote.get()).rejects.toThrow("down 1");
    state.isDown = false;
    vi.advanceTimersByTime(10_000);
    expect(await remote.get()).toBe("answer 2");
  });

  test("is renewed on demand, but not again at once", async () => {
    const { remote } = source();
    await remote.get();
    // A key may be new although the others were fetched just now.
    expect(await Promise.all([remote.renew(), remote.renew()])).toEqual([true, true]);
    expect(remote.known).toBe("answer 2");
    expect(await remote.renew()).toBe(false);
    expect(await remote.get()).toBe("answer 2");
    expect(await remote.renew()).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(await remote.renew()).toBe(true);
  });
});

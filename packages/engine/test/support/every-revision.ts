import { revisions, type Server } from "@toolwright/engine";
import { connectTestClient, type TestClient, type TestClientOptions } from "@toolwright/engine/testing";
import { expect, test } from "vitest";
import { createJudge } from "../judges/official-schema.js";
import { leaks } from "../judges/revision-words.js";

/** All revisions, the handshake ones and the stateless one, newest first. */
export const ALL: readonly string[] = revisions.map(({ version }) => version);
export const HANDSHAKE: readonly string[] = ALL.slice(1);
export const STATELESS = "2026-07-28";

/** Connects, and gives a client whose whole conversation is judged when the test calls `judged`. */
export type Connect = (server: Server, options?: TestClientOptions) => Promise<TestClient>;

/** Runs one behaviour on several revisions; every message of the server is checked against the official schema. */
export function onRevisions(
  versions: readonly string[],
  fact: string,
  body: (open: Connect, revision: string) => Promise<void>,
): void {
  for (const revision of versions) {
    test(`${fact} (${revision})`, async () => {
      const clients: TestClient[] = [];
      await body(async (server, options) => {
        const client = await connectTestClient(server, { ...options, revision });
        clients.push(client);
        return client;
      }, revision);
      for (const client of clients) {
        client.close();
        expectLegal(client);
      }
    });
  }
}

/** The revisions of this run: the fast tier uses the newest one, the rest of a full run the others. */
const SELECTED: readonly string[] =
  process.env["TEST_TIER"] === "fast" ? [STATELESS] : process.env["TEST_TIER"] === "rest" ? HANDSHAKE : ALL;

/** Runs one behaviour on every revision. */
export const everyRevision = (fact: string, body: (open: Connect, revision: string) => Promise<void>): void =>
  onRevisions(SELECTED, fact, body);

/** Fails on any message of the server that the official schema refuses or that has words of another era. */
export function expectLegal(client: TestClient): void {
  const judge = createJudge(client.revision);
  for (const { from, message } of client.conversation) {
    for (const one of Array.isArray(message) ? message : [message]) {
      const violations = judge.saw(from, one);
      if (from !== "server") continue;
      expect(violations, JSON.stringify(one)).toEqual([]);
      expect(leaks(client.revision, one), JSON.stringify(one)).toEqual([]);
    }
  }
}

import { createServer, tool } from "@toolwright/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { handshake, modern, openSite, type Sent, type Site } from "./raw-http.js";

const DESCRIPTION = "Misst die Größe: 你好 👋";
const measure = tool({ name: "measure", description: DESCRIPTION, run: () => "done" });

let site: Site;
beforeAll(async () => {
  site = await openSite(createServer({ name: "test", version: "1.0.0", tools: [measure] }));
});
afterAll(() => site.close());

const opened: Readonly<Record<string, (body: object) => Promise<Sent>>> = {
  "2026-07-28": async (body) => {
    const { headers = {}, body: own } = modern("tools/list", {});
    return { headers, body: { ...(own as object), ...body } };
  },
  "2025-11-25": async (body) => ({ headers: await handshake(site, "2025-11-25"), body }),
};

/** The length of a list is not counted anew for each answer, so it is compared with what comes. */
test.each(Object.keys(opened).flatMap((version) => [[7], ["seven"], ["größer 👋"]].map(([id]) => ({ version, id }))))(
  "a list with non-ASCII characters arrives complete, with its length in bytes: $version, id $id",
  async ({ version, id }) => {
    const sent = await opened[version]?.({ jsonrpc: "2.0", id, method: "tools/list" });
    for (let time = 0; time < 2; time += 1) {
      const { status, headers, text, body } = await site.send(sent as Sent);
      expect(status).toBe(200);
      expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
      expect(body).toMatchObject({ id, result: { tools: [{ name: "measure", description: DESCRIPTION }] } });
    }
  },
);

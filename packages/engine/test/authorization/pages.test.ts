import { createServer, tool } from "@toolwright/engine";
import { type HttpOptions, serveHttp } from "@toolwright/engine/http";
import { expect, onTestFinished, test } from "vitest";
import { AUDIENCE, openIssuer } from "./issuer.js";

/** A tool that looks for what a page has learnt, under the name of whoever calls. */
function mailTool(mailboxes: ReadonlyMap<string, readonly string[]>) {
  return tool({
    name: "count_mail",
    description: "Counts the mails in the user's mailbox.",
    async run(_input, call) {
      const mailbox = mailboxes.get(call.principal ?? "");
      if (mailbox !== undefined) return `${mailbox.length} mails.`;
      return (await call.elicitUrl("connect", "Connect your mailbox.", "https://mail.example/connect"))
        ? "Soon."
        : "No.";
    },
  });
}

test("input on a page belongs to the user who signed in there, not to the user who got the URL [ELI-10]", async () => {
  const issuer = await openIssuer();
  onTestFinished(() => issuer.stop());
  const mailboxes = new Map<string, string[]>();
  const server = createServer({ name: "mail", version: "1.0.0", tools: [mailTool(mailboxes)] });
  const auth: HttpOptions["auth"] = { issuer: issuer.url, audience: AUDIENCE, selfCheck: "off" };
  const serving = await serveHttp(server, { port: 0, auth });
  onTestFinished(() => serving.close());
  const ask = async (sub: string): Promise<unknown> => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} } },
    };
    const response = await fetch(serving.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await issuer.sign({ sub })}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "count_mail",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "count_mail", _meta } }),
    });
    return ((await response.json()) as { result: unknown }).result;
  };
  const asked = { resultType: "input_required", inputRequests: { connect: { params: { mode: "url" } } } };
  expect(await ask("ada")).toMatchObject(asked);
  // Ada was sent to the page, and Eve opened the address instead: the page knows Eve by her own login.
  mailboxes.set("eve", ["one", "two"]);
  expect(await ask("ada")).toMatchObject(asked);
  expect(await ask("eve")).toMatchObject({ content: [{ text: "2 mails." }] });
});

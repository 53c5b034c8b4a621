import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { Child } from "../../packages/engine/test/stdio/child.js";
import type { Conversation } from "./conversation.js";

const main = fileURLToPath(new URL("../../packages/toolwright/dist/main.js", import.meta.url));
const fixtures = fileURLToPath(new URL("./files/", import.meta.url));

/** A server with a profile in a folder of its own, which begins with the files of `files/<profile>`. */
export class ProfileServer {
  readonly #child: Child;
  readonly #url: string | undefined;
  readonly #heard: string[] = [];
  #read = 0;
  #sessionId: string | undefined;

  private constructor(child: Child, url?: string) {
    this.#child = child;
    this.#url = url;
  }

  static async start(profile: string, conversation: Pick<Conversation, "isHttp" | "words" | "commands">) {
    const { isHttp, words, commands } = conversation;
    const folder = mkdtempSync(path.join(tmpdir(), `profile-${profile}-`));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    if (existsSync(fixtures + profile)) cpSync(fixtures + profile, folder, { recursive: true });
    for (const command of commands) execFileSync(command, { shell: true, cwd: folder });
    const args = [main, "serve", "--profile", profile, "--state", path.join(folder, ".state"), ...words];
    const child = new Child(process.execPath, isHttp ? [...args, "--http", "0"] : args, {}, folder);
    if (!isHttp) return new ProfileServer(child);
    const found = () => /http:\S+(?=\n)/.exec(child.stderr)?.[0];
    await child.until(() => found() !== undefined, "an address");
    return new ProfileServer(child, found());
  }

  get log(): readonly string[] {
    return this.#child.stderr.split("\n");
  }

  /** Sends messages and gives what the server says, waiting for `due` messages. */
  async say(messages: readonly string[], due: number): Promise<string[]> {
    if (this.#url === undefined) {
      this.#child.write(messages.map((message) => `${message}\n`).join(""));
      await this.#child.until(() => this.#child.lines.length >= this.#read + due, `${due} more messages`);
      const said = this.#child.lines.slice(this.#read);
      this.#read = this.#child.lines.length;
      return said;
    }
    for (const message of messages) await this.#post(this.#url, message);
    return this.#heard.splice(0);
  }

  /** Ends stdin, or the process over HTTP, and waits for its end; gives the exit code and what it had not said before. */
  async end(): Promise<{ code: number | null; more: string[] }> {
    if (this.#url === undefined) this.#child.process.stdin.end();
    else this.#child.process.kill("SIGTERM");
    const { code } = await this.#child.ended;
    return { code, more: this.#child.lines.slice(this.#read) };
  }

  async #post(url: string, body: string): Promise<void> {
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(this.#sessionId !== undefined && { "Mcp-Session-Id": this.#sessionId }),
    };
    const response = await fetch(url, { method: "POST", headers, body });
    this.#sessionId ??= response.headers.get("mcp-session-id") ?? undefined;
    const text = await response.text();
    if (response.status !== 200 && response.status !== 202) this.#heard.push(`HTTP ${response.status}`);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const messages = isStream ? [...text.matchAll(/^data: ?(.+)$/gm)].map((found) => found[1] as string) : [text];
    this.#heard.push(...messages.filter((message) => message !== ""));
  }
}

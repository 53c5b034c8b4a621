import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../fuzz/random.js";
import { HttpClient, type Identity, type Message, type Reply } from "./http-client.js";
import type { RealServer } from "./real-server.js";
import type { Report } from "./report.js";

/** How long a well-behaved client waits for a call, and how much later the response may arrive on a busy machine. */
const LIMIT_MS = 10_000;
const SLACK_MS = 5000;
/** The pause after a call that was refused. */
const RETRY_MS = 50;

const FILES = 4;
const TASKS = 30;
const DOCUMENTS = 3;

/** A value that the client has stored: what it may be now. More than one if the last write was not acknowledged. */
interface Cell {
  readonly possible: Set<string>;
  readonly read: () => Promise<string | undefined>;
}

/** What a call came to: acknowledged, refused because the disk is full, or unknown because the server was stopped meanwhile. */
type Outcome = { readonly result: Message } | "refused" | "unknown";

/**
 * A client that stores values with each pack, one call after the other, and knows what was acknowledged. Every violation goes to the
 * report: a value that is lost, a call that waits longer than its limit, a call that is refused because of others.
 */
export class WellBehavedClient {
  readonly #http: HttpClient;
  readonly #server: RealServer;
  readonly #random: Random;
  readonly #report: Report;
  readonly #isDiskFull: () => boolean;
  /** By kind and name. */
  readonly #cells = new Map<string, Cell>();
  /** The ids of ended tasks of the protocol. */
  readonly #ended = new Set<string>();
  /** The last write to a file, if nothing was unknown since: undo must restore what was before it. */
  #lastWrite: { readonly path: string; readonly before: string; readonly after: string } | undefined;
  #count = 0;

  constructor(identity: Identity, server: RealServer, random: Random, report: Report, isDiskFull: () => boolean) {
    this.#http = new HttpClient(identity, () => server.port);
    this.#server = server;
    this.#random = random;
    this.#report = report;
    this.#isDiskFull = isDiskFull;
  }

  get #name(): string {
    return this.#http.identity.name;
  }

  /** Stores values until `isOver` or the server stops. */
  async work(isOver: () => boolean): Promise<void> {
    while (!isOver() && this.#server.isUp) {
      const kind = this.#random.below(10);
      if (kind < 4) await this.#writeTask();
      else if (kind < 8) await this.#writeFile();
      else if (kind < 9) await this.#ingest();
      else if (this.#http.identity.hasKey) await this.#runTask();
    }
  }

  /** Reads all values, and reports those that are not what was acknowledged. */
  async verify(): Promise<void> {
    for (const [name, { possible, read }] of this.#cells) {
      const found = await read();
      if (found === undefined || !possible.has(found))
        this.#fail(`${name} is ${JSON.stringify(found)}, but ${[...possible].join(" or ")} was acknowledged`);
      possible.clear();
      if (found !== undefined) possible.add(found);
    }
    await this.#verifyEnded();
    await this.#verifyUndo();
  }

  close(): void {
    this.#http.close();
  }

  #fail(text: string): void {
    this.#report.fail(`${this.#name}: ${text}`);
  }

  /** A value that no other write has. */
  #fresh(): string {
    this.#count += 1;
    return `${this.#name}-${this.#count}`;
  }

  /** Calls a tool within the limit of this client. */
  async #call(tool: string, args: Message): Promise<Outcome> {
    return this.#settle(tool, () => this.#http.callTool(tool, args, LIMIT_MS));
  }

  async #settle(what: string, send: () => Promise<Reply>): Promise<Outcome> {
    const { stops, isUp } = this.#server;
    const wasFull = this.#isDiskFull();
    const startedAt = performance.now();
    let reply: Reply;
    try {
      reply = await send();
    } catch (error) {
      if (isUp && this.#server.stops === stops)
        this.#fail(
          this.#server.isRunning
            ? `${what} failed while the server was running: ${String(error)}`
            : `the server has died during ${what}: ${this.#server.stderrTail}`,
        );
      return "unknown";
    }
    const waited = performance.now() - startedAt;
    this.#report.longestWaitMs = Math.max(this.#report.longestWaitMs, Math.round(waited));
    if (waited > LIMIT_MS + SLACK_MS) this.#fail(`${what} took ${Math.round(waited)} ms; the limit was ${LIMIT_MS}`);
    const { result, error } = reply.message;
    if (result !== undefined && result["isError"] !== true) {
      this.#report.count("acknowledged");
      return { result };
    }
    if (!isUp || this.#server.stops !== stops) return "unknown";
    const text = JSON.stringify(result?.["content"] ?? error ?? { status: reply.status });
    const isFull = (wasFull || this.#isDiskFull()) && /\bdisk\b.* is full|TASKS_UNAVAILABLE/.test(text);
    if (isFull) this.#report.count("refused because the disk was full");
    else this.#fail(`${what} was refused: ${text.slice(0, 300)}`);
    await sleep(RETRY_MS);
    return isFull ? "refused" : "unknown";
  }

  /** Writes a value and keeps what it may be afterwards. What is unknown is left alone until it was read. */
  async #store(
    kind: string,
    name: string,
    value: string,
    write: () => Promise<Outcome>,
    read: Cell["read"],
  ): Promise<Outcome> {
    const key = `${kind} ${name}`;
    const cell = this.#cells.get(key);
    if (cell !== undefined && cell.possible.size > 1) return "unknown";
    cell?.possible.add(value);
    const outcome = await write();
    if (typeof outcome === "object") this.#cells.set(key, { possible: new Set([value]), read });
    if (outcome === "refused") cell?.possible.delete(value);
    return outcome;
  }

  async #writeTask(): Promise<void> {
    const description = this.#fresh();
    const known = [...this.#cells.keys()].filter((key) => key.startsWith("task "));
    const key =
      known.length > 0 && (known.length >= TASKS || this.#random.oneIn(2)) ? this.#random.pick(known) : undefined;
    const read = async (id: string) =>
      (await this.#structured("get_task", { id }))?.["description"] as string | undefined;
    if (key !== undefined) {
      const id = key.slice("task ".length);
      await this.#store(
        "task",
        id,
        description,
        () => this.#call("update_task", { id, description }),
        () => read(id),
      );
      return;
    }
    const outcome = await this.#call("create_task", { description });
    if (typeof outcome !== "object") return;
    const { id } = outcome.result["structuredContent"] as { id: string };
    this.#cells.set(`task ${id}`, { possible: new Set([description]), read: () => read(id) });
  }

  async #writeFile(): Promise<void> {
    const file = `${this.#name}/${this.#random.below(FILES)}.txt`;
    const content = `${this.#fresh()}\n${"x".repeat(this.#random.below(20_000))}`;
    const before = [...(this.#cells.get(`file ${file}`)?.possible ?? [])];
    const read = async () => (await this.#structured("fs_read_file", { path: file }))?.["text"] as string | undefined;
    const outcome = await this.#store(
      "file",
      file,
      content,
      () => this.#call("fs_write_file", { path: file, content }),
      read,
    );
    const [old] = before;
    if (outcome === "unknown") this.#lastWrite = undefined;
    else if (outcome !== "refused")
      this.#lastWrite = old === undefined ? undefined : { path: file, before: old, after: content };
  }

  async #ingest(): Promise<void> {
    const word = `document${this.#random.below(DOCUMENTS)}`;
    const collection = this.#name;
    if (!this.#cells.has("collection")) {
      const found = (await this.#structured("kb_list_collections", {}))?.["collections"] as
        | { id: string }[]
        | undefined;
      if (
        found?.some(({ id }) => id === collection) !== true &&
        typeof (await this.#call("kb_create", { name: collection })) !== "object"
      )
        return;
      const read = async () => (await this.#structured("kb_stats", { collection })) && collection;
      this.#cells.set("collection", { possible: new Set([collection]), read });
    }
    const text = `${word} ${this.#fresh()}`;
    const read = async () => {
      const found = await this.#structured("kb_hybrid_search", { collection, query: word, top_k: DOCUMENTS });
      const results = (found?.["results"] ?? []) as { content: string }[];
      return results.find(({ content }) => content.startsWith(`${word} `))?.content;
    };
    const write = () => this.#call("kb_ingest", { collection, texts: [{ name: word, text }] });
    await this.#store("document", word, text, write, read);
  }

  /** Runs a call as a task of the protocol, and keeps its result. */
  async #runTask(): Promise<void> {
    let headers: Record<string, string> = {};
    const send = async (method: string, params: Message) =>
      this.#settle(method, async () => {
        if (headers["mcp-session-id"] === undefined) headers = await this.#http.openSession();
        return this.#http.send(method, params, headers, 3 * LIMIT_MS);
      });
    const params = { name: "ci_run_command", arguments: { argv: ["sleep", "0"] }, task: { ttl: 3_600_000 } };
    const started = await send("tools/call", params);
    if (typeof started !== "object") return;
    const { taskId } = started.result["task"] as { taskId: string };
    const ended = await send("tasks/result", { taskId });
    if (typeof ended === "object") this.#ended.add(taskId);
  }

  async #verifyEnded(): Promise<void> {
    if (this.#ended.size === 0) return;
    const headers = await this.#http.openSession();
    for (const taskId of this.#ended) {
      const { message } = await this.#http.send("tasks/result", { taskId }, headers);
      if (!JSON.stringify(message.result ?? null).includes("exit_code"))
        this.#fail(`the result of the task ${taskId} is lost: ${JSON.stringify(message).slice(0, 300)}`);
    }
  }

  /** The last acknowledged write can be undone and made again: the journal has it. */
  async #verifyUndo(): Promise<void> {
    const last = this.#lastWrite;
    this.#lastWrite = undefined;
    // Without authentication the journal has one author for all.
    if (last === undefined || !this.#http.identity.hasKey) return;
    const text = async () => (await this.#structured("fs_read_file", { path: last.path }))?.["text"];
    await this.#structured("undo_last", {});
    if ((await text()) !== last.before) this.#fail(`undo did not restore ${last.path}`);
    await this.#structured("redo", {});
    if ((await text()) !== last.after) this.#fail(`redo did not restore ${last.path}`);
    this.#report.count("undone and made again");
  }

  async #structured(tool: string, args: Message): Promise<Message | undefined> {
    const outcome = await this.#call(tool, args);
    return typeof outcome === "object" ? (outcome.result["structuredContent"] as Message) : undefined;
  }
}

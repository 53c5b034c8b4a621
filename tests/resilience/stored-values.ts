import type { HttpClient, Message } from "./http-client.js";

/** What was stored under a name, as it is read again. */
export interface StoredValue {
  readonly task: unknown;
  readonly file: unknown;
  /** The file after its last change was undone; it is made again afterwards. */
  readonly undone?: unknown;
  readonly document: unknown;
  /** Whether the result of a task of the protocol is there. */
  readonly hasResult: boolean;
}

/** Stores values in every store of the program: tasks, the journal of changes, knowledge, tasks of the protocol. */
export class StoredValues {
  readonly #client: HttpClient;
  readonly #ids = new Map<string, { readonly task: string; readonly run: string }>();

  constructor(client: HttpClient) {
    this.#client = client;
  }

  /** Stores values under a name. */
  async store(name: string): Promise<void> {
    const { id } = await this.#call("create_task", { description: name });
    await this.#call("fs_write_file", { path: `${name}.txt`, content: "before" });
    await this.#call("fs_write_file", { path: `${name}.txt`, content: name });
    await this.#call("kb_create", { name });
    const headers = await this.#client.openSession();
    const call = { name: "kb_ingest", arguments: { collection: name, texts: [{ name, text: name }] } };
    const params = { ...call, task: { ttl: 86_400_000 } };
    const { result, error } = (await this.#client.send("tools/call", params, headers)).message;
    if (result === undefined) throw new Error(JSON.stringify(error));
    const { taskId } = result["task"] as { taskId: string };
    await this.#client.send("tasks/result", { taskId }, headers);
    this.#ids.set(name, { task: id as string, run: taskId });
  }

  /** Reads what was stored under a name; with `undo`, it must be the last change of files. */
  async read(name: string, undo: "undo" | "keep" = "keep"): Promise<StoredValue> {
    const { task, run } = this.#ids.get(name) ?? { task: "", run: "" };
    const found = (await this.#call("kb_hybrid_search", { collection: name, query: name }))["results"] as Message[];
    const headers = await this.#client.openSession();
    const { message } = await this.#client.send("tasks/result", { taskId: run }, headers);
    const file = async () => (await this.#call("fs_read_file", { path: `${name}.txt` }))["text"];
    const value = {
      task: (await this.#call("get_task", { id: task }))["description"],
      file: await file(),
      document: found[0]?.["content"],
      hasResult: JSON.stringify(message.result ?? "").includes('"documents":1'),
    };
    if (undo === "keep") return value;
    await this.#call("undo_last", {});
    const undone = await file();
    await this.#call("redo", {});
    return { ...value, undone };
  }

  async #call(tool: string, args: Message): Promise<Message> {
    const { result, error } = (await this.#client.callTool(tool, args, 20_000)).message;
    if (result === undefined || result["isError"] === true)
      throw new Error(`${tool} failed: ${JSON.stringify(result?.["content"] ?? error)}`);
    return result["structuredContent"] as Message;
  }
}

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Server } from "@toolwright/engine";
import { type MemoryConnection, openMemoryConnection, serveStreams } from "@toolwright/engine/transport";
import { describe, expect, test } from "vitest";
import { createJudge } from "../judges/official-schema.js";
import { leaks } from "../judges/revision-words.js";
import { ALL } from "../support/every-revision.js";
import { createExample } from "./example.js";
import { createExtras } from "./extras.js";
import { createSurface } from "./surface.js";

/*
 * A conversation is a text: `#` starts a line of prose, `→` a message of the client, `←` one of the server, and `===` a new
 * connection. What differs from run to run is masked: `‹state›` is the last requestState, `‹reference›` the reference of a
 * failure, `task-of-the-server` the last task; each moment is the same. `# server: surface` asks for the server with resources,
 * prompts and tasks, `# server: extras` for the one with pages to show and results that are cut. UPDATE_CONVERSATIONS=1 writes the lines of the server anew.
 */
const folder = fileURLToPath(new URL("./", import.meta.url));
const isUpdate = process.env["UPDATE_CONVERSATIONS"] === "1";

const filesOf = (revision: string): string[] =>
  existsSync(folder + revision)
    ? readdirSync(folder + revision)
        .toSorted()
        .filter((name) => name.endsWith(".txt"))
    : [];

/** What is written, as it goes here: not every runtime says where a text that is no JSON breaks off. */
function readConversation(path: string): string {
  const written = readFileSync(path, "utf8");
  const isTold = /position/.test(String(thrownBy(() => JSON.parse('{"a":1'))));
  return isTold
    ? written
    : written.replaceAll(/unexpected character at position \d+/g, "the text ends too early or is not JSON");
}

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How a conversation is led: inside the process, or over a pair of streams, as stdio and sockets are. */
const transports = { memory: openMemoryConnection, streams: openStreams };

function openStreams(server: Server, onMessage: (message: string) => void): Promise<MemoryConnection> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  createInterface({ input: output }).on("line", onMessage);
  void serveStreams(server, { input, output });
  return Promise.resolve({ send: (message) => void input.write(`${message}\n`), close: () => void input.destroy() });
}

/** One connection to the example server that keeps what it receives until it is read. */
class Player {
  readonly #connection: MemoryConnection;
  readonly #received: string[];
  #state = "";
  #task = "";
  #handle = "";

  private constructor(connection: MemoryConnection, received: string[]) {
    this.#connection = connection;
    this.#received = received;
  }

  static async open(create: () => Server, over: keyof typeof transports): Promise<Player> {
    const received: string[] = [];
    return new Player(await transports[over](create(), (message) => received.push(message)), received);
  }

  /** Sends a text and gives what the server says, waiting for `due` messages and a moment for any more. */
  async play(text: string, due: number): Promise<string[]> {
    this.#connection.send(
      text
        .replaceAll("‹state›", this.#state)
        .replaceAll("task-of-the-server", this.#task)
        .replaceAll("result://of-the-server", this.#handle),
    );
    for (let round = 0; round < 200 && this.#received.length < due; round += 1) await pause(5);
    await pause(isUpdate ? 40 : 5);
    return this.#received.splice(0).map((message) => this.#mask(message));
  }

  close(): void {
    this.#connection.close();
  }

  #mask(text: string): string {
    return text
      .replace(/"requestState":"([^"]+)"/, (_, state: string) => {
        this.#state = state;
        return '"requestState":"‹state›"';
      })
      .replaceAll(/("taskId":|"taskIds":\[)"([^"]+)"/g, (_, member: string, task: string) => {
        this.#task = task;
        return `${member}"task-of-the-server"`;
      })
      .replaceAll(
        /"(createdAt|lastUpdatedAt)":"[^"]+"/g,
        (_, member: string) => `"${member}":"2026-01-01T00:00:00.000Z"`,
      )
      .replaceAll(/result:\/\/[\da-f]{32}/g, (handle) => {
        this.#handle = handle;
        return "result://of-the-server";
      })
      .replaceAll(/until \d{4}-[^ ]+Z/g, "until 2026-01-01T00:00:00.000Z")
      .replaceAll(/"expiresAt":"[^"]+"/g, '"expiresAt":"2026-01-01T00:00:00.000Z"')
      .replace(/"elicitationId":"[^"]+"/, '"elicitationId":"‹id›"')
      .replace(/Reference: [\da-f]{8}/, "Reference: ‹reference›");
  }
}

/** Plays the lines of the client and gives the conversation as it went. */
async function replay(conversation: string, over: keyof typeof transports): Promise<string> {
  const lines = conversation.split("\n");
  const went: string[] = [];
  const named = /^# server: (\w+)$/m.exec(conversation)?.[1];
  const create = named === undefined ? createExample : { surface: createSurface, extras: createExtras }[named];
  if (create === undefined) throw new Error(`There is no server "${named}" for conversations`);
  let player = await Player.open(create, over);
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("← ")) continue;
    went.push(line);
    if (line === "===") {
      player.close();
      player = await Player.open(create, over);
    } else if (line.startsWith("→ ")) {
      const answers = await player.play(line.slice(2), countAnswers(lines, at + 1));
      went.push(...answers.map((text) => `← ${text}`));
    }
  }
  player.close();
  return went.join("\n");
}

function countAnswers(lines: readonly string[], start: number): number {
  let count = 0;
  while (lines[start + count]?.startsWith("← ")) count += 1;
  return count;
}

/** What the official schema, and the list of words of other eras, have to say of the server's messages. */
function findFaults(revision: string, conversation: string): string[] {
  return conversation.split("\n===\n").flatMap((connection) => {
    const judge = createJudge(revision);
    return connection.split("\n").flatMap((line) => {
      const message = line.startsWith("→ ") || line.startsWith("← ") ? parse(line.slice(2)) : undefined;
      if (message === undefined) return [];
      const violations = judge.saw(line.startsWith("→ ") ? "client" : "server", message);
      return line.startsWith("← ")
        ? [...violations, ...leaks(revision, message)].map((fault) => `${fault}: ${line}`)
        : [];
    });
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe.each([...ALL])("%s", (revision) => {
  test.each(filesOf(revision))("%s went as it is written", async (name) => {
    const path = `${folder}${revision}/${name}`;
    const written = readConversation(path);
    const went = await replay(written, "memory");
    if (isUpdate) writeFileSync(path, went);
    else expect(went).toBe(written);
    expect(findFaults(revision, went)).toEqual([]);
  });

  test.skipIf(isUpdate).each(filesOf(revision))("%s goes the same way over streams", async (name) => {
    const written = readConversation(`${folder}${revision}/${name}`);
    expect(await replay(written, "streams")).toBe(written);
  });

  test("has its conversations", () => {
    const special: Readonly<Record<string, readonly string[]>> = {
      "2024-11-05": ["batches", "lifecycle"],
      "2025-03-26": ["batches", "lifecycle"],
      "2025-06-18": ["ask", "lifecycle"],
      "2025-11-25": ["apps", "ask", "lifecycle", "tasks"],
      "2026-07-28": ["apps", "ask", "discover", "subscriptions", "tasks"],
    };
    const common = ["client", "completion", "errors", "prompts", "resources", "results", "tools"];
    const due = [...(special[revision] ?? []), ...common].map((name) => `${name}.txt`);
    expect(filesOf(revision)).toEqual(due.toSorted());
  });
});

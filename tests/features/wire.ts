import type { JsonObject, Link, Server, Session } from "@toolwright/engine";
import type { Spoken, TestClient } from "@toolwright/engine/testing";
import { expectLegal } from "../support/every-revision.js";

/** A client that answers nothing by itself: a test says each message, and waits for the ones it expects. */
export class Wire {
  readonly revision: string;
  readonly conversation: Spoken[] = [];
  /** Every message of the server, as its text. */
  readonly texts: string[] = [];
  readonly session: Session;
  readonly #server: Server;
  readonly #link: Link;
  readonly #waiting = new Set<() => void>();

  constructor(server: Server, revision: string) {
    this.revision = revision;
    this.#server = server;
    const hear = (text: string): void => {
      this.texts.push(text);
      this.conversation.push({ from: "server", message: JSON.parse(text) as JsonObject });
      for (const look of this.#waiting) look();
    };
    this.session = server.openSession(hear);
    this.#link = {
      session: this.session,
      principal: undefined,
      send: hear,
      answer: (text) => {
        if (text !== undefined) hear(text);
      },
    };
  }

  get heard(): JsonObject[] {
    return this.conversation.filter(({ from }) => from === "server").map(({ message }) => message as JsonObject);
  }

  /** The methods of what the server said, and `answer` for its answers. */
  get kinds(): unknown[] {
    return this.heard.map(({ method }) => method ?? "answer");
  }

  say(message: JsonObject): void {
    this.conversation.push({ from: "client", message: { jsonrpc: "2.0", ...message } });
    this.#server.receive(JSON.stringify({ jsonrpc: "2.0", ...message }), this.#link);
  }

  sayText(text: string): void {
    this.#server.receive(text, this.#link);
  }

  initialize(capabilities: JsonObject = { elicitation: {} }): void {
    const clientInfo = { name: "wire", version: "1" };
    this.say({
      id: "init",
      method: "initialize",
      params: { protocolVersion: this.revision, capabilities, clientInfo },
    });
    this.say({ method: "notifications/initialized" });
  }

  /** Waits for a message of the server that has these members. */
  until(members: JsonObject): Promise<JsonObject> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.heard.find((message) =>
          Object.entries(members).every(([key, value]) => message[key] === value),
        );
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Fails on any message of the server that its revision does not know. */
  expectLegal(): void {
    expectLegal({ revision: this.revision, conversation: this.conversation } as unknown as TestClient);
  }
}

/** A promise that a test fulfils when it likes. */
export class Gate<Value> {
  readonly opened: Promise<Value>;
  #open: ((value: Value) => void) | undefined;

  constructor() {
    this.opened = new Promise<Value>((resolve) => {
      this.#open = resolve;
    });
  }

  open(value: Value): void {
    this.#open?.(value);
  }
}

/** Lets timers of a few milliseconds run, and whatever was put off before or by them. */
export const settled = (ms = 5): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(() => setImmediate(() => setImmediate(resolve)), ms);
  });

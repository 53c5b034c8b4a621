import type { JsonObject, Server } from "@toolwright/engine";
import type { ConversationMessage, TestClient } from "@toolwright/engine/testing";
import type { TransportConnection, TransportSession } from "@toolwright/engine/transport";
import { expectLegal } from "../support/every-revision.js";

/** A client that sends nothing on its own: a test sends each message, and waits for those that it expects. */
export class Wire {
  readonly revision: string;
  readonly conversation: ConversationMessage[] = [];
  /** The raw text of each message from the server. */
  readonly texts: string[] = [];
  readonly session: TransportSession;
  readonly #server: Server;
  readonly #connection: TransportConnection;
  readonly #waiting = new Set<() => void>();

  constructor(server: Server, revision: string) {
    this.revision = revision;
    this.#server = server;
    const onMessage = (text: string): void => {
      this.texts.push(text);
      this.conversation.push({ from: "server", message: JSON.parse(text) as JsonObject });
      for (const look of this.#waiting) look();
    };
    this.session = server.openSession(onMessage);
    this.#connection = {
      session: this.session,
      principal: undefined,
      send: onMessage,
      respond: (text) => {
        if (text !== undefined) onMessage(text);
      },
    };
  }

  get received(): JsonObject[] {
    return this.conversation.filter(({ from }) => from === "server").map(({ message }) => message as JsonObject);
  }

  /** The method of each message from the server; `response` for responses. */
  get receivedMethods(): unknown[] {
    return this.received.map(({ method }) => method ?? "response");
  }

  send(message: JsonObject): void {
    this.conversation.push({ from: "client", message: { jsonrpc: "2.0", ...message } });
    this.#server.receive(JSON.stringify({ jsonrpc: "2.0", ...message }), this.#connection);
  }

  sendText(text: string): void {
    this.#server.receive(text, this.#connection);
  }

  initialize(capabilities: JsonObject = { elicitation: {} }): void {
    const clientInfo = { name: "wire", version: "1" };
    this.send({
      id: "init",
      method: "initialize",
      params: { protocolVersion: this.revision, capabilities, clientInfo },
    });
    this.send({ method: "notifications/initialized" });
  }

  /** Waits for a message from the server with these members. */
  waitFor(members: JsonObject): Promise<JsonObject> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.received.find((message) =>
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

  /** Fails if a message from the server is not valid in the revision. */
  expectLegal(): void {
    expectLegal({ revision: this.revision, conversation: this.conversation } as unknown as TestClient);
  }
}

/** A promise that the test resolves. */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  #resolve: ((value: Value) => void) | undefined;

  constructor() {
    this.promise = new Promise<Value>((resolve) => {
      this.#resolve = resolve;
    });
  }

  resolve(value: Value): void {
    this.#resolve?.(value);
  }
}

/** Waits until short timers and the immediates that they set have run. */
export const settled = (ms = 5): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(() => setImmediate(() => setImmediate(resolve)), ms);
  });

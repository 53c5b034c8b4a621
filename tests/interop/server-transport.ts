import { StreamableHTTPClientTransport as HttpV2, SSEClientTransport as SseV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { SSEClientTransport as SseV1 } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Listening, startListening } from "../support/start-listening.js";
import { type RecordedTransport, type Rewrite, tap, watch } from "./recorded-transport.js";

/** A transport to a server for official clients. */
export type TransportName = "stdio" | "HTTP" | "HTTP+SSE";

type Command = ConstructorParameters<typeof StdioV1>[0];

/** The transports of each version of the official clients. */
const TRANSPORTS = {
  1: {
    stdio: (command: Command) => new StdioV1(command),
    HTTP: (url: URL) => new HttpV1(url),
    "HTTP+SSE": (url: URL) => new SseV1(url),
  },
  2: {
    stdio: (command: Command) => new StdioV2(command),
    HTTP: (url: URL) => new HttpV2(url),
    "HTTP+SSE": (url: URL) => new SseV2(url),
  },
} as const;

type Version = keyof typeof TRANSPORTS;
type Transport<V extends Version> = ReturnType<(typeof TRANSPORTS)[V][TransportName]>;

/** A server program with one transport: on stdio each client starts it, otherwise all connect to one that listens. */
export class ServerTarget {
  readonly #program: readonly string[];
  readonly #transport: TransportName;
  #listening: Listening | undefined;

  constructor(program: string | readonly string[], transport: TransportName) {
    this.#program = [program].flat();
    this.#transport = transport;
  }

  async open(): Promise<void> {
    if (this.#transport !== "stdio") this.#listening = await startListening(this.#program, "--sse");
  }

  /** Whatever clients have left open, the server exits normally. */
  async close(): Promise<void> {
    const code = await this.#listening?.close();
    if (code !== undefined && code !== 0)
      throw new Error(`The server ended with ${code}: ${this.#listening?.stderr()}`);
  }

  /** A transport to the server, for a client of this version. */
  reach<V extends Version>(version: V, rewrite?: Rewrite): RecordedTransport<Transport<V>> {
    const listening = this.#listening;
    if (listening === undefined || this.#transport === "stdio") {
      const transport = TRANSPORTS[version].stdio({
        command: process.execPath,
        args: [...this.#program],
        stderr: "pipe",
      });
      return watch(transport, rewrite) as RecordedTransport<Transport<V>>;
    }
    const before = listening.stderr().length;
    const transport = TRANSPORTS[version][this.#transport](
      new URL(this.#transport === "HTTP" ? listening.url : new URL("/sse", listening.url)),
    );
    return {
      ...tap(transport, rewrite),
      stderr: () => listening.stderr().slice(before),
      isRunning: () => listening.isRunning(),
    } as RecordedTransport<Transport<V>>;
  }
}

import { drive, runProgram } from "./other-clients.js";
import { CALL, type ReadyServer, type Task } from "./ready-server.js";

/** How a client reaches the server: a command that it starts, or a URL. */
export type Place = Pick<ReadyServer, "command" | "args"> | { readonly url: string };

/** What a client got from the server: the names of its tools, and the result of the call. */
export interface ClientReport {
  readonly tools: readonly string[];
  readonly task: Task;
}

/** A third-party client, and how it is run with a server. */
export interface OtherClient {
  readonly name: string;
  /** The revision that it should negotiate. */
  readonly revision: string;
  readonly visit: (place: Place) => Promise<ClientReport>;
}

interface Answer {
  readonly tools: readonly string[];
  readonly content: readonly { readonly text: string }[];
}

const readTask = ({ content }: Pick<Answer, "content">): Task => JSON.parse(content[0]?.text ?? "") as Task;
const namesIn = (listed: unknown) => (listed as { tools: { name: string }[] }).tools.map(({ name }) => name);

const inspector = (era: string, revision: string): OtherClient => ({
  name: `the Inspector in the era ${era}`,
  revision,
  async visit(place) {
    const where = "url" in place ? [place.url, "--transport", "http"] : [place.command, ...place.args];
    const ask = (...args: string[]) => runProgram("inspector", "--cli", ...where, "--protocol-era", era, ...args);
    const [[argument, value]] = Object.entries(CALL.input) as [[string, string]];
    const tools = namesIn(await ask("--method", "tools/list"));
    const call = ["--method", "tools/call", "--tool-name", CALL.name, "--tool-arg", `${argument}=${value}`];
    return { tools, task: readTask((await ask(...call)) as Answer) };
  },
});

const mcporter: OtherClient = {
  name: "mcporter",
  revision: "2025-11-25",
  async visit(place) {
    const transport =
      "url" in place
        ? ["--http-url", place.url, "--allow-http"]
        : ["--stdio", [place.command, ...place.args].join(" ")];
    const where = [...transport, "--name", "ready"];
    const tools = namesIn(await runProgram("mcporter", "list", ...where, "--json"));
    const args = ["--args", JSON.stringify(CALL.input), "--output", "json"];
    return { tools, task: (await runProgram("mcporter", "call", ...where, CALL.name, ...args)) as Task };
  },
};

const library = (name: string, program: string, revision: string): OtherClient => ({
  name,
  revision,
  visit: (place) => visitWith(program, { server: place, ...CALL }),
});

async function visitWith(program: string, words: object): Promise<ClientReport> {
  const answer = (await drive(program, JSON.stringify(words))) as Answer;
  return { tools: answer.tools, task: readTask(answer) };
}

/** The clients that list and call, over stdio and HTTP. */
export const otherClients: readonly OtherClient[] = [
  inspector("legacy", "2025-11-25"),
  inspector("auto", "2026-07-28"),
  inspector("modern", "2026-07-28"),
  mcporter,
  library("the AI SDK's client", "call-ai-sdk", "2026-07-28"),
  library("LangChain's client", "call-langchain", "2025-11-25"),
  library("the client of OpenAI's agents", "call-openai-agents", "2026-07-28"),
];

/** A transport of an old release; `batch` is HTTP with several requests in one message. */
type OldWay = "stdio" | "http" | "sse" | "batch";

/** An old release of the official SDK, its transports, and the revision that it requests. */
interface OldRelease {
  readonly release: string;
  readonly revision: string;
  readonly transports: readonly OldWay[];
}

const OLD_RELEASES: readonly OldRelease[] = [
  { release: "1.0.4", revision: "2024-11-05", transports: ["stdio", "sse"] },
  { release: "1.10.2", revision: "2024-11-05", transports: ["stdio", "http", "sse"] },
  { release: "1.12.3", revision: "2025-03-26", transports: ["stdio", "http", "sse", "batch"] },
  { release: "1.20.2", revision: "2025-06-18", transports: ["stdio", "http", "sse"] },
];

/** Old releases of the official SDK, each over every transport that it has. */
export const oldClients = OLD_RELEASES.flatMap(({ release, revision, transports }) =>
  transports.map((transport) => ({
    release,
    revision,
    transport,
    visit: (place: Place): Promise<ClientReport> =>
      visitWith("old-sdk", { release, transport: transport, server: place, ...CALL }),
  })),
);

import { drive, runProgram } from "./other-clients.js";
import { DEED, type ReadyServer, type Task } from "./ready-server.js";

/** Where a client finds the server: a command that it starts, or an address. */
export type Place = Pick<ReadyServer, "command" | "args"> | { readonly url: string };

/** What a client saw of the server: the names of its tools, and what the deed gave. */
export interface Seen {
  readonly tools: readonly string[];
  readonly task: Task;
}

/** A client that others have written, and how it is let at a server. */
export interface OtherClient {
  readonly name: string;
  /** The revision that it should end up with. */
  readonly revision: string;
  readonly visit: (place: Place) => Promise<Seen>;
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
    const [[argument, value]] = Object.entries(DEED.input) as [[string, string]];
    const tools = namesIn(await ask("--method", "tools/list"));
    const call = ["--method", "tools/call", "--tool-name", DEED.name, "--tool-arg", `${argument}=${value}`];
    return { tools, task: readTask((await ask(...call)) as Answer) };
  },
});

const mcporter: OtherClient = {
  name: "mcporter",
  revision: "2025-11-25",
  async visit(place) {
    const way =
      "url" in place
        ? ["--http-url", place.url, "--allow-http"]
        : ["--stdio", [place.command, ...place.args].join(" ")];
    const where = [...way, "--name", "ready"];
    const tools = namesIn(await runProgram("mcporter", "list", ...where, "--json"));
    const args = ["--args", JSON.stringify(DEED.input), "--output", "json"];
    return { tools, task: (await runProgram("mcporter", "call", ...where, DEED.name, ...args)) as Task };
  },
};

const library = (name: string, program: string, revision: string): OtherClient => ({
  name,
  revision,
  visit: (place) => visitWith(program, { server: place, ...DEED }),
});

async function visitWith(program: string, words: object): Promise<Seen> {
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

/** A way that an old release goes; `batch` is HTTP with several requests in one message. */
type OldWay = "stdio" | "http" | "sse" | "batch";

/** An old release of the official SDK, the ways that it knows, and the revision that it asks for. */
interface OldRelease {
  readonly release: string;
  readonly revision: string;
  readonly ways: readonly OldWay[];
}

const OLD_RELEASES: readonly OldRelease[] = [
  { release: "1.0.4", revision: "2024-11-05", ways: ["stdio", "sse"] },
  { release: "1.10.2", revision: "2024-11-05", ways: ["stdio", "http", "sse"] },
  { release: "1.12.3", revision: "2025-03-26", ways: ["stdio", "http", "sse", "batch"] },
  { release: "1.20.2", revision: "2025-06-18", ways: ["stdio", "http", "sse"] },
];

/** Old releases of the official SDK, each in every way that it knows. */
export const oldClients = OLD_RELEASES.flatMap(({ release, revision, ways }) =>
  ways.map((way) => ({
    release,
    revision,
    way,
    visit: (place: Place): Promise<Seen> => visitWith("old-sdk", { release, transport: way, server: place, ...DEED }),
  })),
);

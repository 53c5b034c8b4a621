import {
  assistant,
  audio,
  createServer,
  embeddedResource,
  image,
  prompt,
  resource,
  resourceLink,
  resourceTemplate,
  type Server,
  text,
  tool,
  user,
} from "@toolwright/engine";

const CITIES = ["Paris", "Parma", "Porto", "Prague"];

const readme = resource({
  uri: "notes://readme",
  name: "readme",
  title: "Read me",
  description: "Where to begin.",
  mimeType: "text/markdown",
  size: 8,
  annotations: { audience: ["user"], priority: 0.5, lastModified: "2026-01-01T00:00:00Z" },
  icons: [{ src: "https://example.com/note.png" }],
  meta: { "example.com/kind": "note" },
  cache: { ttlMs: 60_000, scope: "public" },
  read: () => "# Begin\n",
});

const logo = resource({
  uri: "notes://logo",
  name: "logo",
  mimeType: "image/png",
  read: () => Uint8Array.of(137, 80, 78, 71),
});

const secret = resource({
  uri: "notes://secret",
  name: "secret",
  read: async (call) => {
    const answer = await call.elicit("sure", "Show the secret?", {
      type: "object",
      properties: { sure: { type: "boolean" } },
      required: ["sure"],
    });
    return answer?.["sure"] === true ? "The cake is real." : "Nothing to see.";
  },
});

const weather = resourceTemplate({
  uri: "weather://{city}/{day}",
  name: "weather",
  title: "Weather",
  mimeType: "application/json",
  variables: {
    type: "object",
    properties: { city: { type: "string" }, day: { type: "integer", minimum: 1, maximum: 7 } },
    required: ["city", "day"],
  },
  complete: {
    city: CITIES,
    day: (typed, { city }) => (city === "Paris" ? ["1", "2", "3"] : ["1"]).filter((day) => day.startsWith(typed)),
  },
  read: ({ city, day }) => (CITIES.includes(city) ? JSON.stringify({ city, day, sky: "clear" }) : undefined),
});

const review = prompt({
  name: "review",
  title: "Review",
  description: "Asks for a review.",
  input: {
    type: "object",
    properties: {
      language: { type: "string", title: "Language", description: "What it is written in.", enum: ["rust", "ruby"] },
      depth: { type: "integer" },
    },
    required: ["language"],
  },
  run: ({ language, depth }) => [
    user(`Review this ${language} code${depth === undefined ? "" : `, ${depth} levels deep`}.`),
    assistant("Show it to me."),
  ],
});

const gallery = prompt({
  name: "gallery",
  description: "Shows every kind of content.",
  run: () => [
    user(text("Look:")),
    user(image("iVBORw==", "image/png")),
    user(audio("UklGRg==", "audio/wav")),
    user(embeddedResource("notes://readme", { text: "# Begin\n" }, "text/markdown")),
    user(resourceLink("notes://logo", "logo", { mimeType: "image/png" })),
  ],
});

const summarize = tool({
  name: "summarize",
  description: "Has the client's model sum something up.",
  input: { type: "object", properties: { about: { type: "string" } }, required: ["about"] },
  run: async ({ about }, call) => {
    const { text: said } = await call.sample("summary", { prompt: `Sum up: ${about}`, maxTokens: 100 });
    return `In short: ${said}`;
  },
});

const where = tool({
  name: "where",
  description: "Tells where the client works.",
  run: async (_, call) => (await call.roots()).map(({ uri }) => uri).join(", ") || "Nowhere.",
});

const connect = tool({
  name: "connect",
  description: "Has the person sign in on a page.",
  run: async (_, call) =>
    (await call.elicitUrl("sign-in", "Sign in to go on.", "https://example.com/sign-in"))
      ? "Thank you."
      : "As you like.",
});

const brew = tool({
  name: "brew",
  description: "Takes its time.",
  taskSupport: "optional",
  input: { type: "object", properties: { cups: { type: "integer", default: 1 } } },
  run: ({ cups }, call) =>
    new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => resolve(`${cups} cups are ready.`), cups > 8 ? 60_000 : 100);
      call.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(new Error("stopped"));
      });
    }),
});

/** Says that the read me has changed. */
const touch = (server: () => Server) =>
  tool({
    name: "touch",
    description: "Changes the read me.",
    run: () => {
      server().notifyResourceUpdated("notes://readme");
      return "Touched.";
    },
  });

/** The server of the conversations about resources, prompts, completion, sampling, roots, visits and tasks. */
export function createSurface(): Server {
  const server: Server = createServer({
    name: "surface",
    version: "1.0.0",
    limits: { pageSize: 2 },
    protocol: { listCache: { prompts: { ttlMs: 300_000, scope: "public" } } },
    tasks: { graceMs: 5 },
    log: () => undefined,
    tools: [summarize, where, connect, brew, touch(() => server)],
    resources: [readme, logo, secret, weather],
    prompts: [review, gallery],
  });
  return server;
}

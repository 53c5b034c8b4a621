import { createHash } from "node:crypto";
import { type Embedder, type EmbedOptions, toUnit, unavailable } from "./embedder.js";
import { type Endpoint, post } from "./endpoint.js";
import type { NamedEmbedder } from "./settings.js";

/** A kind of endpoint: what it is asked, and where in its answer the vectors are. */
export interface Dialect {
  /** What its embedders' names start with. */
  readonly prefix: string;
  question(model: string, texts: readonly string[], dimension: number | undefined): object;
  /** The vectors in the order of the texts; undefined: the answer has none. */
  vectors(answer: unknown): unknown[] | undefined;
}

/** What an endpoint is to embed with. */
export interface EndpointOptions {
  readonly model: string;
  readonly dimension: number | undefined;
  readonly batch: number;
  readonly prefixes: { readonly query: string; readonly passage: string };
}

/** How long an endpoint may take while somebody waits: for one text, and for each that comes with it. */
const URGENT_MS = 2000;
const URGENT_MS_MORE = 250;

/** An embedder over an endpoint. It is asked at once where the settings do not say how many components its vectors have. */
export async function createEndpointEmbedder(
  dialect: Dialect,
  endpoint: Endpoint,
  options: EndpointOptions,
  isUrgent = false,
): Promise<Embedder> {
  const { model, batch, prefixes } = options;
  const ask = async (texts: readonly string[], how: Omit<EmbedOptions, "kind">): Promise<Float32Array[]> => {
    const onceMs = how.isUrgent ? URGENT_MS + URGENT_MS_MORE * (texts.length - 1) : undefined;
    const answer = await post(endpoint, dialect.question(model, texts, options.dimension), {
      signal: how.signal,
      onceMs,
    });
    return readVectors(endpoint, dialect.vectors(answer), texts.length);
  };
  const dimension = options.dimension ?? (await ask(["dimension"], { isUrgent }))[0]?.length ?? 0;
  return {
    name: `${dialect.prefix}:${model}${markOf(prefixes.passage)}`,
    dimension,
    batch,
    async embed(texts, { kind, ...how }: EmbedOptions) {
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimension));
      // Endpoints refuse a text that is empty.
      const filled = [...texts.keys()].filter((index) => texts[index]?.trim() !== "");
      for (let start = 0; start < filled.length; start += batch) {
        const some = filled.slice(start, start + batch);
        const answer = await ask(
          some.map((index) => prefixes[kind] + texts[index]),
          how,
        );
        for (const [place, index] of some.entries()) vectors[index] = checked(endpoint, answer[place], dimension);
      }
      return vectors;
    },
    close: () => Promise.resolve(),
  };
}

function readVectors(endpoint: Endpoint, vectors: unknown[] | undefined, count: number): Float32Array[] {
  if (vectors?.length !== count)
    throw unavailable(
      `Cannot embed texts with ${endpoint.title}: it gave ${vectors?.length ?? "no"} vectors for ${count} texts.`,
    );
  return vectors.map((vector) => {
    if (!Array.isArray(vector) || vector.length === 0 || !vector.every((each) => Number.isFinite(each)))
      throw unavailable(
        `Cannot embed texts with ${endpoint.title}: a vector of its answer has something else than numbers.`,
      );
    return Float32Array.from(vector as number[]);
  });
}

function checked(endpoint: Endpoint, vector: Float32Array | undefined, dimension: number): Float32Array {
  if (vector?.length !== dimension)
    throw unavailable(
      `Cannot embed texts with ${endpoint.title}: its vectors have ${vector?.length} components, and ${dimension} are expected. Set embedder.dimension to ${vector?.length}, or use a model that can shorten them.`,
    );
  return toUnit(vector);
}

/** Vectors of passages that something was put before are not those of passages alone. */
function markOf(prefix: string): string {
  return prefix === "" ? "" : `#${createHash("sha256").update(prefix).digest("hex").slice(0, 8)}`;
}

/** OpenAI's `/v1/embeddings`, which many others speak. */
export const OPENAI: Dialect = {
  prefix: "openai",
  question: (model, texts, dimension) => ({
    model,
    input: texts,
    encoding_format: "float",
    ...(dimension !== undefined && { dimensions: dimension }),
  }),
  vectors(answer) {
    const { data: items } = (answer ?? {}) as { data?: unknown };
    if (!Array.isArray(items)) return undefined;
    const vectors: unknown[] = [];
    for (const [place, item] of items.entries()) {
      const { index = place, embedding } = (item ?? {}) as { index?: number; embedding?: unknown };
      vectors[index] = embedding;
    }
    return Array.from(vectors);
  },
};

/** Ollama's `/api/embed`. */
export const OLLAMA: Dialect = {
  prefix: "ollama",
  question: (model, texts, dimension) => ({
    model,
    input: texts,
    truncate: true,
    ...(dimension !== undefined && { dimensions: dimension }),
  }),
  vectors(answer) {
    const { embeddings } = (answer ?? {}) as { embeddings?: unknown };
    return Array.isArray(embeddings) ? embeddings : undefined;
  },
};

const BATCH = 32;
const TIMEOUT_MS = 60_000;
const PAUSE_MS = 500;
const OLLAMA_AT = "http://127.0.0.1:11434";

/** How an endpoint is opened. */
export interface OpenEndpointOptions {
  /** Holds its key. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The first wait after a failure. */
  readonly pauseMs?: number;
  /** What has to be asked is asked once. */
  readonly isUrgent?: boolean;
}

/** Opens an embedder that the settings name an address of. */
export async function openEndpoint(
  settings: NamedEmbedder,
  { environment = process.env, pauseMs = PAUSE_MS, isUrgent = false }: OpenEndpointOptions = {},
): Promise<Embedder> {
  const { kind, model, dimension, batch = BATCH, timeoutMs = TIMEOUT_MS } = settings;
  const isOllama = kind === "ollama";
  const context = settings.url ?? (isOllama ? OLLAMA_AT : undefined);
  if (context === undefined || model === undefined)
    throw unavailable(`Cannot embed texts: embedder.${context === undefined ? "url" : "model"} is missing.`);
  const url = addressOf(context, isOllama ? "/api/embed" : "/embeddings");
  const endpoint = {
    title: `the model ${model} at ${url.origin}`,
    url,
    key: keyOf(settings.keyEnv, environment),
    timeoutMs,
    pauseMs,
  };
  const prefixes = { query: settings.queryPrefix ?? "", passage: settings.passagePrefix ?? "" };
  return createEndpointEmbedder(isOllama ? OLLAMA : OPENAI, endpoint, { model, dimension, batch, prefixes }, isUrgent);
}

/** The address of the method, whether the settings name it or its base. */
function addressOf(context: string, method: string): URL {
  const url = URL.canParse(context) ? new URL(context) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw unavailable(`Cannot embed texts: embedder.url is no address of http or https: ${context}`);
  if (url.username !== "" || url.password !== "")
    throw unavailable(
      "Cannot embed texts: embedder.url has a password in it. Put the key into the variable of embedder.keyEnv.",
    );
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith(method) ? path : path + method;
  return url;
}

function keyOf(
  variable: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (variable === undefined) return undefined;
  const key = environment[variable]?.trim();
  if (key === undefined || key === "")
    throw unavailable(
      `Cannot embed texts: the environment variable ${variable}, which embedder.keyEnv names, is not set.`,
    );
  return key;
}

import { createHash } from "node:crypto";
import { type Embedder, type EmbedOptions, toUnit, unavailable } from "./embedder.js";
import { type Endpoint, post } from "./endpoint.js";
import type { NamedEmbedder } from "./settings.js";

/** The request and response format of an endpoint. */
export interface Dialect {
  /** The prefix of embedder names. */
  readonly prefix: string;
  request(model: string, texts: readonly string[], dimension: number | undefined): object;
  /** Returns the vectors in the order of the texts. Undefined: the response has none. */
  vectors(answer: unknown): unknown[] | undefined;
}

/** The model of an endpoint and its options. */
export interface EndpointOptions {
  readonly model: string;
  readonly dimension: number | undefined;
  readonly batch: number;
  readonly prefixes: { readonly query: string; readonly passage: string };
}

/** The timeout of an urgent request: for the first text, and for each further one. */
const URGENT_MS = 2000;
const URGENT_MS_MORE = 250;

/** Creates an embedder for an endpoint. If the settings have no dimension, requests one vector to determine it. */
export async function createEndpointEmbedder(
  dialect: Dialect,
  endpoint: Endpoint,
  options: EndpointOptions,
  isUrgent = false,
): Promise<Embedder> {
  const { model, batch, prefixes } = options;
  const ask = async (texts: readonly string[], how: Omit<EmbedOptions, "kind">): Promise<Float32Array[]> => {
    const onceMs = how.isUrgent ? URGENT_MS + URGENT_MS_MORE * (texts.length - 1) : undefined;
    const response = await post(endpoint, dialect.request(model, texts, options.dimension), {
      signal: how.signal,
      onceMs,
    });
    return readVectors(endpoint, dialect.vectors(response), texts.length);
  };
  const dimension = options.dimension ?? (await ask(["dimension"], { isUrgent }))[0]?.length ?? 0;
  return {
    name: `${dialect.prefix}:${model}${markOf(prefixes.passage)}`,
    dimension,
    batch,
    async embed(texts, { kind, ...how }: EmbedOptions) {
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimension));
      // Endpoints reject empty texts.
      const filled = [...texts.keys()].filter((index) => texts[index]?.trim() !== "");
      for (let start = 0; start < filled.length; start += batch) {
        const some = filled.slice(start, start + batch);
        const batchVectors = await ask(
          some.map((index) => prefixes[kind] + texts[index]),
          how,
        );
        for (const [position, index] of some.entries())
          vectors[index] = checked(endpoint, batchVectors[position], dimension);
      }
      return vectors;
    },
    close: () => Promise.resolve(),
  };
}

function readVectors(endpoint: Endpoint, vectors: unknown[] | undefined, count: number): Float32Array[] {
  if (vectors?.length !== count)
    throw unavailable(
      `Cannot embed texts with ${endpoint.title}: it returned ${vectors?.length ?? "no"} vectors for ${count} texts.`,
    );
  return vectors.map((vector) => {
    if (!Array.isArray(vector) || vector.length === 0 || !vector.every((each) => Number.isFinite(each)))
      throw unavailable(
        `Cannot embed texts with ${endpoint.title}: a vector in its response contains values that are not numbers.`,
      );
    return Float32Array.from(vector as number[]);
  });
}

function checked(endpoint: Endpoint, vector: Float32Array | undefined, dimension: number): Float32Array {
  if (vector?.length !== dimension)
    throw unavailable(
      `Cannot embed texts with ${endpoint.title}: its vectors have ${vector?.length} components instead of ${dimension}. Set embedder.dimension to ${vector?.length}, or use a model that supports shorter vectors.`,
    );
  return toUnit(vector);
}

/** A passage prefix changes the vectors, so it is part of the embedder name. */
function markOf(prefix: string): string {
  return prefix === "" ? "" : `#${createHash("sha256").update(prefix).digest("hex").slice(0, 8)}`;
}

/** The format of OpenAI's `/v1/embeddings`, which many other servers support. */
export const OPENAI: Dialect = {
  prefix: "openai",
  request: (model, texts, dimension) => ({
    model,
    input: texts,
    encoding_format: "float",
    ...(dimension !== undefined && { dimensions: dimension }),
  }),
  vectors(response) {
    const { data: items } = (response ?? {}) as { data?: unknown };
    if (!Array.isArray(items)) return undefined;
    const vectors: unknown[] = [];
    for (const [position, item] of items.entries()) {
      const { index = position, embedding } = (item ?? {}) as { index?: number; embedding?: unknown };
      vectors[index] = embedding;
    }
    return Array.from(vectors);
  },
};

/** The format of Ollama's `/api/embed`. */
export const OLLAMA: Dialect = {
  prefix: "ollama",
  request: (model, texts, dimension) => ({
    model,
    input: texts,
    truncate: true,
    ...(dimension !== undefined && { dimensions: dimension }),
  }),
  vectors(response) {
    const { embeddings } = (response ?? {}) as { embeddings?: unknown };
    return Array.isArray(embeddings) ? embeddings : undefined;
  },
};

const BATCH = 32;
const TIMEOUT_MS = 60_000;
const PAUSE_MS = 500;
const OLLAMA_AT = "http://127.0.0.1:11434";

/** Options for opening an endpoint. */
export interface OpenEndpointOptions {
  /** The environment variables, one of which has the API key. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The delay before the first retry. */
  readonly pauseMs?: number;
  /** Sends requests only once. */
  readonly isUrgent?: boolean;
}

/** Opens the endpoint that the settings describe. */
export async function openEndpoint(
  settings: NamedEmbedder,
  { environment = process.env, pauseMs = PAUSE_MS, isUrgent = false }: OpenEndpointOptions = {},
): Promise<Embedder> {
  const { kind, model, dimension, batch = BATCH, timeoutMs = TIMEOUT_MS } = settings;
  const isOllama = kind === "ollama";
  const address = settings.url ?? (isOllama ? OLLAMA_AT : undefined);
  if (address === undefined || model === undefined)
    throw unavailable(`Cannot embed texts: embedder.${address === undefined ? "url" : "model"} is missing.`);
  const url = toMethodUrl(address, isOllama ? "/api/embed" : "/embeddings");
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

/** Returns the URL of the API method. The settings may contain that URL or its base. */
function toMethodUrl(address: string, method: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw unavailable(`Cannot embed texts: embedder.url is not an http or https URL: ${address}`);
  if (url.username !== "" || url.password !== "")
    throw unavailable(
      "Cannot embed texts: embedder.url contains a password. Set embedder.keyEnv to an environment variable with the key instead.",
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

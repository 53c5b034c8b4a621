import type { Embedder } from "../embedder.js";
import { unavailable } from "../faults.js";
import type { NamedEmbedder } from "../settings.js";
import { OLLAMA, OPENAI } from "./dialects.js";
import { createEndpointEmbedder } from "./endpoint-embedder.js";

const BATCH = 32;
const TIMEOUT_MS = 60_000;
const PAUSE_MS = 500;
const OLLAMA_AT = "http://127.0.0.1:11434";

/** How an endpoint is opened. */
export interface OpenWish {
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
  { environment = process.env, pauseMs = PAUSE_MS, isUrgent = false }: OpenWish = {},
): Promise<Embedder> {
  const { kind, model, dimension, batch = BATCH, timeout_ms: timeoutMs = TIMEOUT_MS } = settings;
  const isOllama = kind === "ollama";
  const base = settings.url ?? (isOllama ? OLLAMA_AT : undefined);
  if (base === undefined || model === undefined)
    throw unavailable(`Cannot embed texts: embedder.${base === undefined ? "url" : "model"} is missing.`);
  const url = addressOf(base, isOllama ? "/api/embed" : "/embeddings");
  const endpoint = {
    title: `the model ${model} at ${url.origin}`,
    url,
    key: keyOf(settings.key_env, environment),
    timeoutMs,
    pauseMs,
  };
  const prefixes = { query: settings.query_prefix ?? "", passage: settings.passage_prefix ?? "" };
  return createEndpointEmbedder(isOllama ? OLLAMA : OPENAI, endpoint, { model, dimension, batch, prefixes }, isUrgent);
}

/** The address of the method, whether the settings name it or its base. */
function addressOf(base: string, method: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw unavailable(`Cannot embed texts: embedder.url is no address of http or https: ${base}`);
  if (url.username !== "" || url.password !== "")
    throw unavailable(
      "Cannot embed texts: embedder.url has a password in it. Put the key into the variable of embedder.key_env.",
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
      `Cannot embed texts: the environment variable ${variable}, which embedder.key_env names, is not set.`,
    );
  return key;
}

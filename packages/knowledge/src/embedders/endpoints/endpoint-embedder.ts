import { createHash } from "node:crypto";
import type { Embedder, EmbedWish } from "../embedder.js";
import { unavailable } from "../faults.js";
import { toUnit } from "../unit.js";
import { type Endpoint, post } from "./endpoint.js";

/** A kind of endpoint: what it is asked, and where in its answer the vectors are. */
export interface Dialect {
  /** What its embedders' names start with. */
  readonly prefix: string;
  question(model: string, texts: readonly string[], dimension: number | undefined): object;
  /** The vectors in the order of the texts; undefined = the answer has none. */
  vectors(answer: unknown): unknown[] | undefined;
}

/** What an endpoint is to embed with. */
export interface EndpointWish {
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
  wish: EndpointWish,
  isUrgent = false,
): Promise<Embedder> {
  const { model, batch, prefixes } = wish;
  const ask = async (texts: readonly string[], how: Omit<EmbedWish, "kind">): Promise<Float32Array[]> => {
    const onceMs = how.isUrgent ? URGENT_MS + URGENT_MS_MORE * (texts.length - 1) : undefined;
    const answer = await post(endpoint, dialect.question(model, texts, wish.dimension), { signal: how.signal, onceMs });
    return readVectors(endpoint, dialect.vectors(answer), texts.length);
  };
  const dimension = wish.dimension ?? (await ask(["dimension"], { isUrgent }))[0]?.length ?? 0;
  return {
    name: `${dialect.prefix}:${model}${markOf(prefixes.passage)}`,
    dimension,
    batch,
    async embed(texts, { kind, ...how }: EmbedWish) {
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

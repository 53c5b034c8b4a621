import type { Dialect } from "./endpoint-embedder.js";

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

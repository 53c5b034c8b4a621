import type { InferInput } from "@toolwright/engine";

/** The setting `packs.knowledge.embedder`: a name, or an object for an endpoint or a model on disk. */
export const EMBEDDER_SETTINGS = {
  type: ["string", "object"],
  default: "auto",
  description:
    'The embedder: "auto" (all-MiniLM-L6-v2 if it is installed, else the built-in table), "static" (the table), "minilm", or an object for an endpoint or a model on disk.',
  anyOf: [
    { enum: ["auto", "static", "minilm"] },
    {
      type: "object",
      properties: { kind: { const: "openai" }, url: {}, model: {} },
      required: ["kind", "url", "model"],
    },
    { type: "object", properties: { kind: { const: "ollama" }, model: {} }, required: ["kind", "model"] },
    { type: "object", properties: { kind: { const: "onnx" }, folder: {} }, required: ["kind", "folder"] },
  ],
  properties: {
    kind: {
      enum: ["openai", "ollama", "onnx"],
      description:
        "openai: an endpoint compatible with OpenAI's /v1/embeddings; ollama: an Ollama server; onnx: a model on disk.",
    },
    url: {
      type: "string",
      pattern: "^https?://",
      description:
        "The URL of the endpoint, such as https://api.openai.com/v1; the default for Ollama is http://127.0.0.1:11434. Texts are sent only there.",
    },
    model: { type: "string", minLength: 1, maxLength: 200, description: "The name of the model at the endpoint." },
    dimension: {
      type: "integer",
      minimum: 1,
      maximum: 16_384,
      description:
        "The dimension of the vectors; requested from endpoints that support it. The default is the dimension of the model.",
    },
    keyEnv: {
      type: "string",
      pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
      description: "The environment variable with the API key of the endpoint. The key itself is never stored.",
    },
    folder: {
      type: "string",
      minLength: 1,
      description: "onnx: a folder with model.onnx and tokenizer.json (WordPiece).",
    },
    queryPrefix: {
      type: "string",
      maxLength: 500,
      description: 'The prefix that the model expects before a query, such as "search_query: ".',
    },
    passagePrefix: {
      type: "string",
      maxLength: 500,
      description: 'The prefix that the model expects before a passage, such as "search_document: ".',
    },
    batch: {
      type: "integer",
      minimum: 1,
      maximum: 2048,
      description: "The number of texts in one request; default: 32.",
    },
    timeoutMs: {
      type: "integer",
      minimum: 100,
      maximum: 600_000,
      description: "The timeout of one request in milliseconds; default: 60000. A search waits at most two seconds.",
    },
  },
  additionalProperties: false,
} as const;

/** The configured embedder. */
export type EmbedderSettings = InferInput<typeof EMBEDDER_SETTINGS>;

/** An endpoint, or a model on disk. */
export type NamedEmbedder = Exclude<EmbedderSettings, string>;

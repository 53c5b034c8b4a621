import type { InferInput } from "@toolwright/engine";

/** What `packs.knowledge.embedder` may be: a word, or an object for what has to be found. */
export const EMBEDDER_SETTINGS = {
  type: ["string", "object"],
  default: "auto",
  description:
    'What turns texts into vectors: "auto" (all-MiniLM-L6-v2 where it is installed, else the built-in table), "static", "minilm", or an object that names an endpoint or a model on disk.',
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
        "openai: any endpoint that speaks OpenAI's /v1/embeddings; ollama: an Ollama server; onnx: a model on disk.",
    },
    url: {
      type: "string",
      pattern: "^https?://",
      description:
        "Where the endpoint is, such as https://api.openai.com/v1; Ollama: http://127.0.0.1:11434 by default. Texts are sent there and nowhere else.",
    },
    model: { type: "string", minLength: 1, maxLength: 200, description: "The model's name, as the endpoint has it." },
    dimension: {
      type: "integer",
      minimum: 1,
      maximum: 16_384,
      description: "How many numbers a vector has; asked of the endpoint where it can choose, else found out.",
    },
    key_env: {
      type: "string",
      pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
      description: "The environment variable that holds the endpoint's key. The key itself is never written down.",
    },
    folder: {
      type: "string",
      minLength: 1,
      description: "Of onnx: a folder with model.onnx and tokenizer.json (WordPiece).",
    },
    query_prefix: {
      type: "string",
      maxLength: 500,
      description: 'What the model wants before a question, such as "search_query: ".',
    },
    passage_prefix: {
      type: "string",
      maxLength: 500,
      description: 'What the model wants before a passage, such as "search_document: ".',
    },
    batch: {
      type: "integer",
      minimum: 1,
      maximum: 2048,
      description: "How many texts are sent at once; 32 by default.",
    },
    timeout_ms: {
      type: "integer",
      minimum: 100,
      maximum: 600_000,
      description: "How long one request may take; 60000 by default. A search has two seconds at most.",
    },
  },
  additionalProperties: false,
} as const;

/** What the settings say about the embedder. */
export type EmbedderSettings = InferInput<typeof EMBEDDER_SETTINGS>;

/** An embedder that has to be found: an endpoint, or a model on disk. */
export type NamedEmbedder = Exclude<EmbedderSettings, string>;

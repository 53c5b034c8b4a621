/** What a tool gave, as the client hands it out. */
export interface Given {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (report: { progress: number; total?: number; message?: string }) => void;
}

/** What the tests need of an official client, whichever it is. */
export interface Peer {
  listTools(): Promise<readonly { name: string; title?: string; outputSchema?: unknown; annotations?: unknown }[]>;
  callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Given>;
  close(): Promise<void>;
}

/** How the person at the client answers a question. */
export type Answer = (question: { message: string; requestedSchema: unknown }) => {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
};

/** What a test gives to a client before it connects. */
export interface PeerOptions {
  readonly answer: Answer;
  readonly onToolsChanged: (names: readonly string[]) => void;
}

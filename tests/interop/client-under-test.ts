/** The result of a tool, as the client returns it. */
export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (report: { progress: number; total?: number; message?: string }) => void;
}

/** The common interface of the official clients. */
export interface ClientUnderTest {
  listTools(): Promise<readonly { name: string; title?: string; outputSchema?: unknown; annotations?: unknown }[]>;
  callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  close(): Promise<void>;
}

/** The user's answer to an elicitation. */
export type Answer = (question: { message: string; requestedSchema: unknown }) => {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
};

/** What a test configures before a client connects. */
export interface ClientOptions {
  readonly answer: Answer;
  readonly onToolsChanged: (names: readonly string[]) => void;
}

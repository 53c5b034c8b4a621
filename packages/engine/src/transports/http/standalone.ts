const KEY = "io.modelcontextprotocol/protocolVersion";

/** Whether a text is a request that needs neither handshake nor session. */
export function isStandalone(text: string | undefined): boolean {
  if (text?.includes(KEY) !== true) return false;
  try {
    const message = JSON.parse(text) as { params?: { _meta?: Record<string, unknown> } } | null;
    return message?.params?._meta?.[KEY] !== undefined;
  } catch {
    return false;
  }
}

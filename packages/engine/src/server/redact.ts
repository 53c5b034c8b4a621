const SECRET = /token|secret|passw|pwd|cookie|credential|api_?-?key|private_?-?key|authorization|connection_?string/i;
const COUNT = /tokens|token_?count/i;

/**
 * The JSON text of any value, in which members that are named like secrets say nothing. What JSON cannot write is told as
 * text: a log line must never fail.
 */
export function redactedJson(value: unknown): string {
  try {
    return JSON.stringify(value, blank) ?? "null";
  } catch {
    return JSON.stringify(`[${typeof value} that JSON cannot write]`);
  }
}

function blank(key: string, value: unknown): unknown {
  if (value instanceof Error) return value.message;
  if (typeof value === "bigint") return String(value);
  // A number of tokens is what a model has used, and no secret.
  if (typeof value === "number" && COUNT.test(key)) return value;
  return SECRET.test(key) ? "[redacted]" : value;
}

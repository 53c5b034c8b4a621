import { isObject, type Json } from "../jsonrpc/json.js";

const SECRET = /token|secret|passw|credential|api_?-?key|private_?-?key|authorization|connection_?string/i;

/** A copy of a value in which members that are named like secrets say nothing. */
export function redact(value: Json): Json {
  if (Array.isArray(value)) return value.map(redact);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, SECRET.test(key) ? "[redacted]" : redact(entry)]),
  );
}

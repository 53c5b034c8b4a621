import { RpcError, restoreError } from "../../jsonrpc/errors.js";
import type { JsonObject } from "../../jsonrpc/messages.js";
import { type ErrorHint, ToolError } from "../../protocol/outcome.js";
import { redactCredentials, redactPairs } from "./redact-text.js";

/** What is redacted in addition to members whose names look secret, such as `password`. */
export interface RedactOptions {
  /** More names of secrets. A string matches the whole name, ignoring case, `-` and `_`; a pattern matches any part of it. */
  readonly names?: readonly (string | RegExp)[];
  /** Strings that are redacted wherever they occur; each must have at least four characters. */
  readonly values?: readonly string[];
}

/** Removes secrets from logs, recordings and the audit log. It never throws. */
export interface Redaction {
  /** Serializes any value as JSON, with secret members and secrets inside strings redacted. */
  json(value: unknown): string;
  /** Redacts known secrets, anything that looks like a credential, and pairs such as `token=…`. */
  text(text: string): string;
  /** Whether a member of this name is secret. */
  isSecretName(name: string): boolean;
  /** The replacement for a secret. */
  readonly placeholder: string;
}

const SECRET_NAME =
  /token|secret|passw|passphrase|(?:^|[_.-])pass(?:$|[_.-])|pwd|cookie|credential|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|signing[_-]?key|authorization|connection[_-]?string/i;
/** A number of tokens is a model's usage, not a secret. */
const TOKEN_COUNT_NAME = /tokens|token[_-]?count/i;
/** The progress token of MCP, and tokenizers. */
const HARMLESS_NAME = /^progress[_-]?token$|tokeni[sz]/i;
/** Variables that say where a secret is stored, or where the process runs. */
const LOCATION_VARIABLE = /^(?:OLD)?PWD$|_(?:dir|domain|endpoint|file|name|path|ttl|type|uri|url)$/i;
/** Shorter environment variables are likely common words, such as `true`. */
const MIN_VARIABLE_LENGTH = 8;
const MIN_VALUE_LENGTH = 4;
const MAX_NAME_LENGTH = 200;

/** The deepest nesting that is written: more than any message may have, but not enough to overflow the stack. */
const MAX_DEPTH = 300;
/** The maximum number of values that are written: shared references can make a small value almost endless. */
const MAX_VALUES = 200_000;

/**
 * Creates a redaction. Throws `TypeError` that names the invalid option.
 *
 * @example
 * ```ts
 * const redaction = createRedaction({ names: ["iban"], values: [licenseKey] });
 * redaction.json({ iban: "DE02…", note: "token=abc123" }); // {"iban":"[redacted]","note":"token=[redacted]"}
 * ```
 */
export function createRedaction(options: RedactOptions = {}): Redaction {
  return new SecretRedaction(options);
}

class SecretRedaction implements Redaction {
  readonly #nameTests: readonly ((name: string) => boolean)[];
  readonly #values: readonly string[];
  #secrets: readonly string[] | undefined;
  #placeholder = "[redacted]";

  constructor({ names = [], values = [] }: RedactOptions) {
    this.#nameTests = names.map(createNameTest);
    if (values.some((value) => typeof value !== "string" || value.length < MIN_VALUE_LENGTH))
      throw new TypeError(`redact.values must be strings of at least ${MIN_VALUE_LENGTH} characters`);
    this.#values = values;
  }

  get placeholder(): string {
    this.#collectSecrets();
    return this.#placeholder;
  }

  isSecretName(name: string): boolean {
    const end = name.slice(-MAX_NAME_LENGTH);
    return (SECRET_NAME.test(end) && !HARMLESS_NAME.test(end)) || this.#nameTests.some((test) => test(end));
  }

  text(text: string): string {
    try {
      const known = this.#redactKnown(text);
      const isSecret = (name: string, value: unknown): boolean => this.#isSecret(name, value);
      return this.#redactKnown(redactPairs(redactCredentials(known, this.#placeholder), isSecret, this.#placeholder));
    } catch {
      return this.#placeholder;
    }
  }

  json(value: unknown): string {
    const ancestors = new Set<object>();
    let remainingValues = MAX_VALUES;
    /** Copies one member of an object without its secrets. What JSON cannot represent is described in words. */
    const copy = (holder: object, key: string | number): unknown => {
      try {
        const input: unknown = (holder as Record<string | number, unknown>)[key];
        if (typeof key === "string" && this.#isSecret(key, input)) return this.placeholder;
        const member = toSerializable(input, String(key));
        return typeof member === "object" && member !== null ? copyObject(member) : this.#redactPrimitive(member);
      } catch {
        return "[unreadable]";
      }
    };
    const copyObject = (object: object): unknown => {
      if (ancestors.has(object)) return "[circular]";
      if (ancestors.size >= MAX_DEPTH) return "[nested too deeply]";
      remainingValues -= 1;
      if (remainingValues < 0) return "[too many values]";
      ancestors.add(object);
      try {
        return Array.isArray(object) ? copyItems(object) : copyMembers(object);
      } finally {
        ancestors.delete(object);
      }
    };
    const copyItems = (list: readonly unknown[]): unknown[] => {
      const items: unknown[] = [];
      for (let index = 0; index < list.length && remainingValues >= 0; index += 1) {
        remainingValues -= 1;
        items.push(copy(list, index));
      }
      return items;
    };
    const copyMembers = (object: object): object => {
      const members = new Map<string, unknown>();
      for (const name of Object.keys(object)) {
        let redactedName = this.text(name);
        // Redaction may make two names equal, and an object keeps only one member of a name.
        while (members.has(redactedName)) redactedName += ` ${members.size + 1}`;
        members.set(redactedName, copy(object, name));
      }
      return Object.fromEntries(members);
    };
    return JSON.stringify(copy([value], 0)) ?? "null";
  }

  /** Returns undefined for what JSON omits. */
  #redactPrimitive(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "bigint") return this.#redactKnown(String(value));
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) return undefined;
    return this.#redactKnown(text) === text ? value : this.#placeholder;
  }

  #isSecret(name: string, value: unknown): boolean {
    return this.isSecretName(name) && !isTokenCount(name, value);
  }

  /** Redacts the configured values, and environment variables with secret names. */
  #redactKnown(text: string): string {
    const secrets = this.#collectSecrets();
    let rest = text;
    for (const value of secrets) if (rest.includes(value)) rest = rest.replaceAll(value, this.#placeholder);
    // A placeholder and the text beside it may form another secret.
    return rest !== text && secrets.some((value) => rest.includes(value)) ? this.#placeholder : rest;
  }

  /** Collected on first use: a program may load its `.env` file after it created the server. */
  #collectSecrets(): readonly string[] {
    if (this.#secrets !== undefined) return this.#secrets;
    const variables = Object.entries(process.env).filter(([name, value]) => this.#isSecretVariable(name, value));
    this.#secrets = encodedForms([...this.#values, ...variables.map(([, value = ""]) => value)]);
    if (this.#secrets.some((value) => this.#placeholder.includes(value))) this.#placeholder = "***";
    return this.#secrets;
  }

  #isSecretVariable(name: string, value = ""): boolean {
    return value.length >= MIN_VARIABLE_LENGTH && !LOCATION_VARIABLE.test(name) && this.#isSecret(name, value);
  }
}

/** Replaces values that JSON.stringify would lose, such as maps and errors, by something it can represent. */
function toSerializable(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return value.message;
  if (value instanceof Set) return [...value];
  if (value instanceof Map) {
    const isNamed = [...value.keys()].every((key) => typeof key === "string");
    return isNamed ? Object.fromEntries(value) : [...value];
  }
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === "function" ? (toJSON.call(value, name) as unknown) : value;
}

function createNameTest(name: unknown): (candidate: string) => boolean {
  if (name instanceof RegExp) {
    // The flags g and y make test() depend on the previous match.
    const pattern = new RegExp(name.source, name.flags.replace(/[gy]/g, ""));
    return (candidate) => pattern.test(candidate);
  }
  if (typeof name !== "string" || name === "") throw new TypeError("redact.names must be strings or patterns");
  const normalized = normalizeName(name);
  return (candidate) => normalizeName(candidate) === normalized;
}

const normalizeName = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

const isTokenCount = (name: string, value: unknown): boolean =>
  TOKEN_COUNT_NAME.test(name) && (typeof value === "number" || (typeof value === "string" && /^\d{1,15}$/.test(value)));

/** Returns each value as it is, as in JSON and as in URLs and forms; longest first, because one may contain another. */
function encodedForms(values: readonly string[]): readonly string[] {
  const all = values.flatMap((value) => {
    const encoded = percentEncode(value);
    // RFC 3986 reserves more characters, and some programs write lower-case digits.
    const strict = encoded.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
    const forms = [encoded, strict, strict.replaceAll("%20", "+")];
    const lowerCase = forms.map((form) => form.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
    return [value, JSON.stringify(value).slice(1, -1), ...forms, ...lowerCase];
  });
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

function percentEncode(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Lone surrogates cannot be encoded.
    return value;
  }
}

/** The same error without the secrets in its message and details; the error itself if there are none. */
export function redactError<Failure extends RpcError | ToolError>(redaction: Redaction, error: Failure): Failure {
  const data = error instanceof RpcError ? error.data : error.details;
  const message = typeof error.message === "string" ? redaction.text(error.message) : error.message;
  const redacted = data && redactData(redaction, data);
  if (error instanceof RpcError) {
    if (message === error.message && redacted === data) return error;
    return restoreError({ code: error.code, message, ...(redacted && { data: redacted }) }) as Failure;
  }
  const { code, hint } = error;
  const redactedHint = hint && redactData(redaction, hint);
  if (message === error.message && redacted === data && redactedHint === hint) return error;
  return new ToolError(message, {
    ...(code !== undefined && { code }),
    ...(redactedHint && { hint: redactedHint }),
    ...(redacted && { details: redacted }),
    cause: error,
  }) as Failure;
}

/** The data without its secrets; the same object if nothing changed, or if JSON cannot represent it. */
function redactData<Data extends JsonObject | ErrorHint>(redaction: Redaction, data: Data): Data {
  try {
    const text = JSON.stringify(data);
    const redacted = redaction.json(JSON.parse(text));
    return redacted === text ? data : (JSON.parse(redacted) as Data);
  } catch {
    return data;
  }
}

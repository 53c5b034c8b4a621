import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as core from "@modelcontextprotocol/core";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { ZodType } from "zod";

/** Who sent a message. */
export type Direction = "server" | "client";

/** The types of one revision: which type a method has, and what is wrong with a value of a type. */
export interface Book {
  /** The type of a request or notification that this side may send, by method. */
  typeOf(direction: Direction, kind: "Request" | "Notification", method: string): string | undefined;
  /** The type of an error response with this code, where the revision has one of its own. */
  typeOfError(code: number): string | undefined;
  /** Whether the revision has such a type. */
  has(type: string): boolean;
  /** What is wrong with the value, in one line each. */
  check(type: string, value: unknown): string[];
}

/** Where the types come from. */
export interface Library {
  readonly source: string;
  book(revision: string): Book;
}

interface Definition {
  readonly $ref?: string;
  readonly anyOf?: readonly Definition[];
  readonly allOf?: readonly Definition[];
  readonly properties?: Readonly<Record<string, Definition & { readonly const?: unknown }>>;
}

interface SchemaDocument {
  readonly $defs?: Record<string, Definition>;
  readonly definitions?: Record<string, Definition>;
}

const folder = fileURLToPath(new URL("../../../../../shared/schemas/", import.meta.url));

/** The official JSON Schemas, where the sibling folder has them; else the schemas of the npm package. */
export function openLibrary(): Library {
  return existsSync(`${folder}2026-07-28.json`) ? openOfficialLibrary() : openPackagedLibrary();
}

/** The official JSON Schema of each revision. */
function openOfficialLibrary(): Library {
  const books = new Map<string, Book>();
  return {
    source: "the official JSON Schema of each revision",
    book(revision) {
      const book = books.get(revision) ?? readBook(revision);
      books.set(revision, book);
      return book;
    },
  };
}

function readBook(revision: string): Book {
  const document: SchemaDocument = JSON.parse(readFileSync(`${folder}${revision}.json`, "utf8"), admitFractions);
  const place = document.$defs === undefined ? "definitions" : "$defs";
  const definitions = document[place] ?? {};
  const ajv = new (place === "$defs" ? Ajv2020 : Ajv)({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: "mcp" });
  const compiled = new Map<string, ValidateFunction>();
  const errorTypes = new Map(
    Object.entries(definitions).flatMap(([name, definition]) => toErrorType(name, definition)),
  );

  return {
    typeOf(direction, kind, method) {
      const union = `${direction === "server" ? "Server" : "Client"}${kind}`;
      return membersOf(union, definitions[union]).find((name) => {
        return definitions[name]?.properties?.["method"]?.const === method;
      });
    },
    typeOfError: (code) => errorTypes.get(code),
    has: (type) => type in definitions,
    check(type, value) {
      const validate = compiled.get(type) ?? ajv.compile({ $ref: `mcp#/${place}/${type}` });
      compiled.set(type, validate);
      return validate(value) ? [] : describeFaults(type, validate.errors ?? []);
    },
  };
}

// The generated schema.json says integer where schema.ts, its source, says number (AMB-17). This list of types stands nowhere but
// in the content of ElicitResult and in JSONValue of 2026-07-28, and both may hold 2.5.
function admitFractions(_key: string, value: unknown): unknown {
  const isJsonPrimitive = Array.isArray(value) && value.join(" ") === "string integer boolean";
  return isJsonPrimitive ? ["string", "number", "boolean"] : value;
}

// 2026-07-28 has a single client notification, so its union is the notification itself.
function membersOf(name: string, union: Definition | undefined): string[] {
  if (union === undefined) return [];
  return union.anyOf?.map(({ $ref }) => $ref?.split("/").at(-1) ?? "") ?? [name];
}

function toErrorType(name: string, definition: Definition): [number, string][] {
  const parts = definition.properties?.["error"]?.allOf ?? [];
  return parts.flatMap((part): [number, string][] => {
    const code = part.properties?.["code"]?.const;
    return typeof code === "number" ? [[code, name]] : [];
  });
}

// Every alternative of a union reports its own fault; the line about the union itself adds nothing.
function describeFaults(type: string, errors: readonly ErrorObject[]): string[] {
  const telling = errors.filter(({ keyword }) => keyword !== "anyOf" && keyword !== "oneOf");
  const lines = (telling.length > 0 ? telling : errors).map(({ instancePath, message, params }) => {
    const detail = "allowedValue" in params ? ` ${JSON.stringify(params["allowedValue"])}` : "";
    return `${type}${instancePath}: ${message ?? "wrong"}${detail}`;
  });
  return [...new Set(lines)];
}

/**
 * The zod schemas that the official TypeScript SDK publishes. They describe one merged protocol, 2025-11-25 with additions of
 * 2026-07-28, and leave most objects open: older revisions are judged by it as the nearest there is.
 */
export function openPackagedLibrary(): Library {
  const schemas = new Map<string, ZodType>(Object.entries(core));
  const nameOf = (schema: unknown) => [...schemas].find(([, known]) => known === schema)?.[0].replace(/Schema$/, "");
  const book: Book = {
    typeOf(direction, kind, method) {
      const options = pick(schemas.get(`${direction === "server" ? "Server" : "Client"}${kind}Schema`), "options");
      const listed = Array.isArray(options) ? options.find((option) => methodOf(option) === method) : undefined;
      // Tasks have schemas, but stand in none of the unions.
      const ofTasks = method.includes("tasks/") ? [...schemas].filter(([name]) => name.endsWith(`${kind}Schema`)) : [];
      return nameOf(listed ?? ofTasks.find(([, schema]) => methodOf(schema) === method)?.[1]);
    },
    typeOfError: () => undefined,
    has: (type) => schemas.has(`${type}Schema`),
    check(type, value) {
      const issues = schemas.get(`${type}Schema`)?.safeParse(asMerged(type, value)).error?.issues ?? [];
      return issues.map(({ path, message }) => `${[type, ...path].join("/")}: ${message}`);
    },
  };
  return { source: "the zod schemas of @modelcontextprotocol/core, one for all revisions", book: () => book };
}

/** Two things of 2026-07-28 that the merged protocol has only as 2025-11-25 wrote them. */
function asMerged(type: string, value: unknown): unknown {
  if (type === "EmptyResult" && pick(value, "resultType") === "complete") {
    const { resultType: _, ...rest } = value as Record<string, unknown>;
    return rest;
  }
  const params = pick(value, "params");
  if (type !== "ElicitRequest" || pick(params, "mode") !== "url") return value;
  return { ...(value as object), params: { elicitationId: "none", ...(params as object) } };
}

function methodOf(schema: unknown): unknown {
  return pick(pick(pick(schema, "shape"), "method"), "value");
}

function pick(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, member) : undefined;
}

import type { JsonObject } from "../jsonrpc/json.js";
import { createSchema, type InferInput, type SchemaSource } from "../schema/schema.js";
import type { Tool } from "./tool.js";

/** What an open pack brings to a server. */
export interface PackContents {
  readonly tools: readonly Tool[];
  close?(): void | Promise<void>;
}

/** Tools about one subject, with its settings checked and not yet open. */
export interface Pack {
  readonly name: string;
  open(): Promise<PackContents>;
}

/** What `pack` takes. */
export interface PackDefinition<Settings extends SchemaSource> {
  readonly name: string;
  readonly settings?: Settings;
  open(settings: InferInput<Settings>): PackContents | Promise<PackContents>;
}

/** Defines a pack: a function from its settings, which are checked, to a pack that a server can open. */
export function pack<const Settings extends SchemaSource>(
  definition: PackDefinition<Settings>,
): (settings?: JsonObject) => Pack {
  const { name } = definition;
  const schema = createSchema(definition.settings ?? { type: "object", properties: {} }, {
    repair: false,
    unknownKeys: "refuse",
    root: "object",
  });
  return (settings = {}) =>
    Object.freeze({
      name,
      async open() {
        const reading = await schema.read(settings);
        if (!reading.ok)
          throw new TypeError(
            `Cannot open pack "${name}": ${reading.faults.map((fault) => `settings.${fault}`).join("; ")}`,
          );
        return definition.open(reading.value as InferInput<Settings>);
      },
    });
}

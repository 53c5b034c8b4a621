// What a tool can take. Schemas are zod, any other Standard Schema, or plain JSON Schema as here.
import { tool } from "@toolwright/engine";

const everyKeyword = tool({
  name: "json_schema_2020_12_tool",
  description: "Has a schema with definitions, references and conditions; clients see it as it is written here.",
  input: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
  run: (person) => `Read: ${JSON.stringify(person)}`,
});

const mirrored = tool({
  name: "test_x_mcp_header",
  description: "Has an argument that HTTP clients also send as a header, for those who route requests.",
  input: {
    type: "object",
    properties: {
      region: { type: "string", description: "Where to go.", "x-mcp-header": "Region" },
      level: { type: "integer", description: "How far to go." },
    },
  },
  run: ({ region, level }) => `region: ${region ?? "none"}, level: ${level ?? "none"}`,
});

export const argumentTools = [everyKeyword, mirrored];

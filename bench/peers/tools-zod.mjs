import { z } from "zod";
import { benchTools } from "../tools.mjs";

const echo = z.object({ text: z.string().describe("what to give back") });

const fill6 = z.object({
  name: z.string().min(1).max(100).describe("full name"),
  age: z.number().int().min(0).max(150).describe("in years"),
  email: z.string().min(3).max(200).describe("where to write to"),
  active: z.boolean().describe("whether the account is open"),
  level: z.enum(["low", "middle", "high"]).describe("how urgent"),
  tags: z.array(z.string()).max(10).describe("free words"),
});

const shelf = () =>
  z.object({
    query: z.string().min(1).max(200).describe("words that occur"),
    limit: z.number().int().min(1).max(500).describe("how many").optional(),
    order: z.enum(["newest", "oldest", "best"]).describe("what is first").optional(),
    archived: z.boolean().describe("old ones too").optional(),
    fields: z.array(z.string()).max(20).describe("only these").optional(),
    after: z.string().max(40).describe("where to go on").optional(),
  });

/** The tools of the bench with zod schemas, made once, which is how the peers' own guides define tools. */
export function benchToolsZod(/** @type {number} */ count) {
  return benchTools(count).map((tool) => ({
    name: tool.name,
    description: tool.description,
    schema: tool.name === "echo" ? echo : tool.name === "fill6" ? fill6 : shelf(),
    answer: tool.answer,
  }));
}

/**
 * @typedef {object} BenchTool
 * @property {string} name
 * @property {string} description
 * @property {object} inputSchema
 * @property {(input: any) => string} answer the text the tool gives back
 */

/** @type {BenchTool} */
const echo = {
  name: "echo",
  description: "Gives the text back.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string", description: "what to give back" } },
    required: ["text"],
    additionalProperties: false,
  },
  answer: (input) => input.text,
};

/** @type {BenchTool} */
const fill6 = {
  name: "fill6",
  description: "Takes a form of six fields.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1, maxLength: 100, description: "full name" },
      age: { type: "integer", minimum: 0, maximum: 150, description: "in years" },
      email: { type: "string", minLength: 3, maxLength: 200, description: "where to write to" },
      active: { type: "boolean", description: "whether the account is open" },
      level: { type: "string", enum: ["low", "middle", "high"], description: "how urgent" },
      tags: { type: "array", items: { type: "string" }, maxItems: 10, description: "free words" },
    },
    required: ["name", "age", "email", "active", "level", "tags"],
    additionalProperties: false,
  },
  answer: ({ name, age, email, active, level, tags }) => `${name} ${age} ${email} ${active} ${level} ${tags}`,
};

/** @returns {BenchTool} */
function shelf(number) {
  return {
    name: `shelf_${String(number).padStart(3, "0")}`,
    description: `Searches shelf ${number}.`,
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 200, description: "words that occur" },
        limit: { type: "integer", minimum: 1, maximum: 500, description: "how many" },
        order: { type: "string", enum: ["newest", "oldest", "best"], description: "what is first" },
        archived: { type: "boolean", description: "old ones too" },
        fields: { type: "array", items: { type: "string" }, maxItems: 20, description: "only these" },
        after: { type: "string", maxLength: 40, description: "where to go on" },
      },
      required: ["query"],
      additionalProperties: false,
    },
    answer: (input) => input.query,
  };
}

/** The tools every server of the bench offers, so that all of them do the same work: echo, fill6, then shelves. */
export function benchTools(/** @type {number} */ count) {
  const tools = [echo, fill6];
  for (let number = tools.length; number < count; number++) tools.push(shelf(number));
  return tools.slice(0, count);
}

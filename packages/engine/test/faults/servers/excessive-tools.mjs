// Tools that return too much or invalid values, or modify shared objects.
import { content, text, tool } from "@toolwright/engine";

const pitfall = () => {
  throw new Error("a trap sprang");
};

function createCircle() {
  const value = {};
  value.self = value;
  return value;
}

function createDeep() {
  let value = {};
  for (let at = 0; at < 100_000; at += 1) value = { value };
  return value;
}

/** What tools return, by name. */
const returned = {
  circle: createCircle,
  bigint: () => ({ many: 7n }),
  deep: createDeep,
  trap: () => ({ toJSON: pitfall }),
  getter: () => Object.defineProperty({}, "value", { enumerable: true, get: pitfall }),
  function: () => () => undefined,
  symbol: () => Symbol("sign"),
  error: () => new Error("returned in place of thrown"),
  megabyte: () => "x".repeat(1_000_000),
  huge: () => "x".repeat(100_000_000),
  huge_structure: () => ({ rows: Array.from({ length: 100 }, () => "x".repeat(1_000_000)) }),
  broken_text: () => "\u{d800} alone",
  not_content: () => content({ type: "text" }),
  much_content: () => content(...Array.from({ length: 50_000 }, () => text("x".repeat(1000)))),
};

const byReturning = Object.entries(returned).map(([name, create]) =>
  tool({ name: `return_${name}`, description: "Returns something odd.", run: create }),
);

const rows = {
  type: "object",
  properties: { rows: { type: "array", items: { type: "integer" } } },
  required: ["rows"],
};

export const excessiveTools = [
  ...byReturning,
  tool({
    name: "memory",
    description: "Tells the resident memory in bytes, and the most there ever was.",
    run: () => ({ now: process.memoryUsage.rss(), most: process.resourceUsage().maxRSS * 1024 }),
  }),
  tool({
    name: "million_steps",
    description: "Tells of a million steps at once.",
    run(_input, call) {
      for (let at = 1; at <= 1_000_000; at += 1) call.progress(at, "step", 1_000_000);
      return "a million";
    },
  }),
  tool({
    name: "odd_steps",
    description: "Tells of steps that are none.",
    run(_input, call) {
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1, "7", undefined, null, {}, 7n]) {
        try {
          call.progress(value, value, value);
        } catch {
          // It may throw; only what the client receives matters.
        }
      }
      return "logged";
    },
  }),
  tool({
    name: "mutate",
    description: "Changes its input and everything else that it was given.",
    input: rows,
    run(input, call) {
      input.rows.push("not a number");
      input.rows.length = 1;
      input.more = input;
      Object.setPrototypeOf(input, null);
      for (const target of [call, call.caller, call.signal])
        for (const name of ["signal", "progress", "capabilities", "name", "revision"]) {
          try {
            target[name] = undefined;
          } catch {
            // Frozen, which is fine too.
          }
        }
      return "changed";
    },
  }),
  tool({
    name: "pollute",
    description: "Puts members on the prototype of every object.",
    run() {
      for (const name of ["error", "result", "code", "isError", "structuredContent", "_meta", "id", "params"])
        Reflect.defineProperty(Object.prototype, name, { value: "polluted", configurable: true, writable: true });
      return "polluted";
    },
  }),
];

// Tools that fail in every way in which JavaScript can fail.
import { ToolError, tool } from "@toolwright/engine";

const pitfall = () => {
  throw new Error("a trap sprang");
};

/** An error that cannot be inspected. */
function createUntouchable() {
  const error = new Error("unseen");
  for (const member of ["name", "message", "stack", "cause", "code", "toString", "toJSON"])
    Object.defineProperty(error, member, { get: pitfall });
  return error;
}

const everyTrap = Object.fromEntries(
  Object.getOwnPropertyNames(Reflect)
    .filter((name) => typeof Reflect[name] === "function")
    .map((name) => [name, pitfall]),
);

function createRevoked() {
  const { proxy, revoke } = Proxy.revocable(new Error("gone"), {});
  revoke();
  return proxy;
}

function createCircle() {
  const first = new Error("first");
  const second = new Error("second", { cause: first });
  first.cause = second;
  return first;
}

/** What tools throw, by name. */
const thrown = {
  error: () => new Error("it broke while reading"),
  text: () => "plain text",
  nothing: () => undefined,
  null: () => null,
  number: () => 7,
  symbol: () => Symbol("sign"),
  bigint: () => 7n,
  function: () => () => undefined,
  bare_object: () => Object.create(null),
  untouchable: createUntouchable,
  trapped: () => new Proxy(new Error("inside"), everyTrap),
  revoked: createRevoked,
  circle: createCircle,
  frozen: () => Object.freeze(new Error("frozen")),
  stackless: () => Object.assign(new Error("no stack"), { stack: undefined }),
  odd_stack: () => Object.assign(new Error("odd"), { stack: { toString: pitfall } }),
  aggregate: () => new AggregateError([new Error("one"), createUntouchable()], "many"),
  abort: () => new DOMException("I stopped", "AbortError"),
};

const byThrowing = Object.entries(thrown).flatMap(([name, create]) => [
  tool({
    name: `throw_${name}`,
    description: "Throws at once.",
    run() {
      throw create();
    },
  }),
  tool({
    name: `reject_${name}`,
    description: "Rejects later.",
    async run() {
      await new Promise((resolve) => setImmediate(resolve));
      throw create();
    },
  }),
]);

// oxlint-disable-next-line unicorn/no-thenable -- this is what is tested
const THEN = "then";

/** What tools return instead of a promise. */
const thenables = {
  throwing_then: () => ({ [THEN]: pitfall }),
  trapped_then: () => Object.defineProperty({}, THEN, { get: pitfall }),
  twice: () => ({
    [THEN](resolve, reject) {
      resolve("the first counts");
      reject(new Error("too late"));
      resolve("too late");
    },
  }),
  both: () => ({
    [THEN](resolve) {
      resolve("the answer counts");
      throw new Error("too late");
    },
  }),
};

const byThenable = Object.entries(thenables).map(([name, create]) =>
  tool({ name, description: "Gives something like a promise.", run: create }),
);

/** Invalid ToolErrors. */
const worded = {
  no_text: () => Object.assign(new ToolError("x"), { message: 7 }),
  details_circle() {
    const details = {};
    details.self = details;
    return new ToolError("The shelf is empty.", { code: "EMPTY", details });
  },
  details_bigint: () => new ToolError("The shelf is empty.", { code: "EMPTY", details: { many: 7n } }),
  details_trap: () => new ToolError("The shelf is empty.", { code: "EMPTY", details: { toJSON: pitfall } }),
  message_trap: () => Object.defineProperty(new ToolError("x"), "message", { get: pitfall }),
};

const byWords = Object.entries(worded).map(([name, create]) =>
  tool({
    name: `words_${name}`,
    description: "Fails in words.",
    run() {
      throw create();
    },
  }),
);

const later = [
  tool({
    name: "reject_after_answer",
    description: "Answers, and then fails.",
    run() {
      setImmediate(() => void Promise.reject(new Error("after the answer")));
      return "answered";
    },
  }),
  tool({
    name: "throw_after_answer",
    description: "Answers, and then throws.",
    run() {
      setImmediate(() => {
        throw new Error("thrown after the answer");
      });
      return "answered";
    },
  }),
  tool({
    name: "trap_after_answer",
    description: "Answers, and then throws what nobody can look at.",
    run() {
      setImmediate(() => {
        throw createUntouchable();
      });
      return "answered";
    },
  }),
  tool({
    name: "emit_error",
    description: "Emits an error that nobody listens for.",
    async run() {
      const { EventEmitter } = await import("node:events");
      setImmediate(() => new EventEmitter().emit("error", new Error("emitted to nobody")));
      return "answered";
    },
  }),
];

export const throwingTools = [...byThrowing, ...byThenable, ...byWords, ...later];

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const LANGUAGES = ["typescript", "tsx", "javascript"];

/**
 * ESLint's own rule, and those of SonarSource. JUDGES_ESLINT is a folder with eslint, eslint-plugin-sonarjs and
 * @typescript-eslint/parser in its node_modules; JUDGES_ESLINT_8 one with eslint 8 and eslint-plugin-sonarjs 0.19, the last that
 * counts inner functions as the white paper has it.
 */
export const judges = [
  judgeOf("eslint", process.env.JUDGES_ESLINT, "eslint", {
    cyclomatic: ["complexity", { max: 0, variant: "classic" }],
  }),
  judgeOf("sonarjs", process.env.JUDGES_ESLINT, "eslint-plugin-sonarjs", {
    cyclomatic: ["sonarjs/cyclomatic-complexity", { threshold: 0 }],
    cognitive: ["sonarjs/cognitive-complexity", 0],
  }),
  judgeOf("sonarjs-0.19", process.env.JUDGES_ESLINT_8, "eslint-plugin-sonarjs", {
    cognitive: ["sonarjs/cognitive-complexity", 0],
  }),
];

function judgeOf(name, folder, program, rules) {
  const requireThere = folder === undefined ? undefined : createRequire(path.join(folder, "x.js"));
  return {
    name,
    languages: LANGUAGES,
    version: () => requireThere && versionOf(requireThere, program),
    measure: (corpus) =>
      readdirSync(corpus).flatMap((file) =>
        measureFile(requireThere, path.join(corpus, file), rules, name === "sonarjs-0.19"),
      ),
  };
}

function versionOf(requireThere, program) {
  const [main] = requireThere.resolve(program).split(new RegExp(`(?<=node_modules/${program})/`));
  return JSON.parse(readFileSync(path.join(main, "package.json"), "utf8")).version;
}

function measureFile(requireThere, place, wanted, isOld) {
  const file = path.basename(place);
  const functions = [];
  const rules = Object.fromEntries(Object.values(wanted).map(([rule, option]) => [rule, ["error", option]]));
  const lint = isOld ? lintWithOld : lintWithNew;
  const messages = lint(requireThere, readFileSync(place, "utf8"), { file, rules, functions });
  for (const [metric, [rule]] of Object.entries(wanted))
    for (const { message, line, column } of messages.filter(({ ruleId }) => ruleId === rule)) {
      const of = functionAt(functions, line, column - 1);
      // ESLint has numbers for the values of fields, and for static blocks.
      if (of !== undefined && !message.startsWith("Class field")) of[metric] = readNumber(message);
    }
  // Below its threshold the rule is silent. The old one leaves out what it has counted in the function around.
  for (const each of functions) if ("cognitive" in wanted && !(isOld && each.isInner)) each.cognitive ??= 0;
  return functions.map(({ line, cyclomatic, cognitive }) => ({ file, line, cyclomatic, cognitive }));
}

const readNumber = (message) => Number(/(?:from|complexity of) (\d+)/.exec(message)?.[1]);

const lister = (functions) => ({ create: () => ({ ":function": (node) => functions.push(read(node)) }) });

function lintWithNew(requireThere, text, { file, rules, functions }) {
  const { Linter } = requireThere("eslint");
  const sonarjs = requireThere("eslint-plugin-sonarjs");
  const config = {
    files: ["**/*.ts", "**/*.tsx", "**/*.js"],
    plugins: { sonarjs: sonarjs.default ?? sonarjs, own: { rules: { list: lister(functions) } } },
    rules: { ...rules, "own/list": "error" },
    languageOptions: {
      parser: requireThere("@typescript-eslint/parser"),
      parserOptions: { ecmaFeatures: { jsx: !file.endsWith(".ts") } },
    },
  };
  return new Linter().verify(text, [config], { filename: file });
}

function lintWithOld(requireThere, text, { file, rules, functions }) {
  const { Linter } = requireThere("eslint");
  const linter = new Linter();
  linter.defineParser("typescript", requireThere("@typescript-eslint/parser"));
  linter.defineRule("list", lister(functions));
  for (const [name, rule] of Object.entries(requireThere("eslint-plugin-sonarjs").rules))
    linter.defineRule(`sonarjs/${name}`, rule);
  const parserOptions = { ecmaFeatures: { jsx: !file.endsWith(".ts") }, sourceType: "module" };
  const config = { parser: "typescript", parserOptions, rules: { ...rules, list: "error" } };
  return linter.verify(text, config, { filename: file });
}

/** A function: its line as we have it, and from where to where its head goes. */
function read(node) {
  const { parent } = node;
  const isMember =
    ["MethodDefinition", "Property", "PropertyDefinition"].includes(parent.type) && parent.value === node;
  const isMethod = parent.type === "MethodDefinition" || (isMember && (parent.method || parent.kind !== "init"));
  let isInner = false;
  for (let above = parent; above; above = above.parent) isInner ||= above.type.includes("Function");
  return {
    line: (isMethod && parent.type !== "PropertyDefinition" ? parent.key : node).loc.start.line,
    from: offset((isMember ? parent : node).loc.start),
    start: offset(node.loc.start),
    to: offset(node.body.loc.start),
    isInner,
  };
}

const offset = ({ line, column }) => line * 100_000 + column;

/** The innermost function whose head a place lies in. */
function functionAt(functions, line, column) {
  const at = offset({ line, column });
  return functions
    .filter(({ from, to }) => from <= at && at <= to)
    .toSorted((one, other) => other.start - one.start)[0];
}

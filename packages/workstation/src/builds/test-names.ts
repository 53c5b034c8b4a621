/** Escapes a text for a regular expression. */
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/**
 * The expression that selects a test of Vitest, Jest, Mocha or Node.js. They match it with the titles from the outermost one, joined by
 * spaces; their reports have a separator there, which may also be a part of a title.
 */
export const titlePattern = (test: string): string =>
  // With a leading slash the runners would read it as an expression with flags.
  escaped(test)
    .replaceAll("/", String.raw`\/`)
    .replaceAll(/ ([>›]) /g, "(?: $1)? ");

const GO_NAME = "(?:Test|Fuzz|Example)(?![a-z])";
const GO_PACKAGE = new RegExp(`^(?!${GO_NAME})(?<name>.*?)\\.(?=${GO_NAME})`);

/** The package of a Go test, if its name begins with one of this module, and the expression that selects it. */
export function goPattern(test: string, module: string): { readonly where: string; readonly pattern: string } {
  const found = GO_PACKAGE.exec(test);
  const name = found?.groups?.["name"] ?? "";
  const isOwn = module !== "" && (name === module || name.startsWith(`${module}/`));
  const parts = test.slice(found?.[0].length ?? 0).split("/");
  return { where: isOwn ? name : "./...", pattern: parts.map((part) => `^${escaped(part)}$`).join("/") };
}

/** The arguments that select a test of pytest: its id, or the words of a name, because some characters are not allowed in `-k`. */
export function pytestArgs(test: string): readonly string[] {
  if (test.includes(".py::")) return ["--", test];
  const words = test.replaceAll("::", " ").match(/[\w:+.[\]\\/-]+/g) ?? [];
  return ["-k", words.filter((word) => !/^(?:and|or|not)$/.test(word)).join(" and ")];
}

/** The arguments that select a test of unittest: a name with dots selects it and its members, another name all tests that contain it. */
export function unittestArgs(test: string): readonly string[] {
  const name = test.replaceAll(/[[*?]/g, "[$&]");
  return test.includes(".") ? ["-k", `*${name}`, "-k", `*${name}.*`] : ["-k", `*${name}*`];
}

/** `a.b.SomeTest.adds` → `a.b.SomeTest#adds`; what follows a class is a method. */
export const mavenPattern = (test: string): string =>
  withoutArguments(test).replace(/((?:^|\.)[A-Z][\w$]*)\.([^.#]+)$/, "$1#$2");

/** `SomeTest > Inner > adds(int) > [1] 1` → `SomeTest$Inner.adds` */
export function gradlePattern(test: string): string {
  const names = test.split(" > ").filter((name) => !name.startsWith("["));
  const last = withoutArguments(names.pop() ?? test);
  return names.length === 0 ? last : `${names.join("$")}.${last}`;
}

/** The filter of `dotnet test`. The arguments of a test case are not part of its name. */
export const dotnetFilter = (test: string): string =>
  `FullyQualifiedName~${withoutArguments(test).replaceAll(/[\\()&|=!~]/g, String.raw`\$&`)}`;

const withoutArguments = (test: string): string => test.replace(/\s*[([].*$/s, "") || test;

/** A text as a part of a regular expression that matches it and nothing else. */
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/**
 * The expression that picks a test of Vitest, Jest, Mocha or Node. They look for it in the titles from the outermost on, with a
 * space between them; what they report has a mark there too, which may as well be a part of a title.
 */
export const titlePattern = (test: string): string =>
  // With a slash in front the runners would take it for an expression with flags.
  escaped(test)
    .replaceAll("/", String.raw`\/`)
    .replaceAll(/ ([>›]) /g, "(?: $1)? ");

const GO_NAME = "(?:Test|Fuzz|Example)(?![a-z])";
const GO_PACKAGE = new RegExp(`^(?!${GO_NAME})(?<name>.*?)\\.(?=${GO_NAME})`);

/** What picks a test of Go: the package, where the name has one of this module in front, and the expression. */
export function goPattern(test: string, module: string): { readonly where: string; readonly pattern: string } {
  const found = GO_PACKAGE.exec(test);
  const name = found?.groups?.["name"] ?? "";
  const isOwn = module !== "" && (name === module || name.startsWith(`${module}/`));
  const parts = test.slice(found?.[0].length ?? 0).split("/");
  return { where: isOwn ? name : "./...", pattern: parts.map((part) => `^${escaped(part)}$`).join("/") };
}

/** What picks a test of pytest: its id as it is, and of a name the words, for there are characters that cannot be asked for. */
export function pytestArgs(test: string): readonly string[] {
  if (test.includes(".py::")) return ["--", test];
  const words = test.replaceAll("::", " ").match(/[\w:+.[\]\\/-]+/g) ?? [];
  return ["-k", words.filter((word) => !/^(?:and|or|not)$/.test(word)).join(" and ")];
}

/** What picks a test of unittest: a name with dots stands for itself and what is in it, another one for all that have it. */
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

/** The filter of `dotnet test`: the arguments of a case are no part of a test's name. */
export const dotnetFilter = (test: string): string =>
  `FullyQualifiedName~${withoutArguments(test).replaceAll(/[\\()&|=!~]/g, String.raw`\$&`)}`;

const withoutArguments = (test: string): string => test.replace(/\s*[([].*$/s, "") || test;

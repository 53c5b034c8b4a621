import type { ListedPattern } from "../library/compiled.js";

/** What a pattern keeps of its score, by how it fits what somebody programs in. */
const FIT = { own: 1.15, shown: 1.05, any: 1, other: 0.5 } as const;

/** How well a pattern fits a language and a framework: one that is about another language fits badly. */
export function fitOfStack(
  pattern: ListedPattern,
  { language, framework }: { readonly language?: string | undefined; readonly framework?: string | undefined },
): number {
  if (language === undefined && (framework === undefined || framework === "any")) return FIT.any;
  const isOwn = (part: "language" | "framework", wanted: string | undefined): boolean =>
    wanted === undefined || wanted === "any" || pattern[part] === wanted;
  if (pattern.language !== "any" && isOwn("language", language) && isOwn("framework", framework)) return FIT.own;
  const isShown = [...pattern.code.map((each) => `${each.language}/${each.framework}`), ...pattern.generalizes_to].some(
    (stack) => isStack(stack, language, framework),
  );
  if (isShown) return FIT.shown;
  return pattern.language === "any" ? FIT.any : FIT.other;
}

function isStack(stack: string, language: string | undefined, framework: string | undefined): boolean {
  const [itsLanguage = "", itsFramework = ""] = stack.split("/");
  return (
    (language === undefined || itsLanguage === language) &&
    (framework === undefined || framework === "any" || itsFramework === framework)
  );
}

import { type CodeExample, DEGREES, type Mitigation } from "../format/pattern.js";
import { ANY, nearTo } from "./known.js";
import type { Stack } from "./stack.js";

/** How to do it right, as an agent is shown it. */
export interface CodePattern {
  readonly language: string;
  readonly framework: string;
  readonly secure_template: string;
  /** Said where it is not in what was asked for. */
  readonly note?: string;
}

/** The examples among mitigations that serve somebody best, those of the most effective one first. All are in one language. */
export function chooseCode(mitigations: readonly Mitigation[], stack: Stack): readonly CodePattern[] {
  const { language, framework } = stack;
  const code = [...mitigations].sort(compareEffect).flatMap(({ code_examples: examples = [] }) => examples);
  const wanted = language === undefined ? [] : nearTo(language);
  const found = wanted.find((near) => code.some((each) => each.language === near)) ?? code[0]?.language;
  const inLanguage = code.filter((each) => each.language === found);
  const exact = inLanguage.filter((each) => frameworkOf(each) === framework);
  const general = framework === undefined ? [] : inLanguage.filter((each) => frameworkOf(each) === ANY);
  const best = new Set([...exact, ...general, ...inLanguage]);
  return [...best].map((each) => shown(each, stack));
}

const degreeOf = ({ effectiveness = "medium" }: Mitigation): number => DEGREES.indexOf(effectiveness);
const compareEffect = (a: Mitigation, b: Mitigation): number => degreeOf(a) - degreeOf(b);

const frameworkOf = ({ framework = ANY }: CodeExample): string => framework;

function shown(code: CodeExample, stack: Stack): CodePattern {
  const note = noteFor(code, stack);
  return {
    language: code.language,
    framework: frameworkOf(code),
    secure_template: code.secure_code.trimEnd(),
    ...(note !== undefined && { note }),
  };
}

function noteFor(code: CodeExample, { language, framework }: Stack): string | undefined {
  if (language !== undefined && language !== code.language)
    return `No example in ${language}; this one is in ${code.language}.`;
  const own = frameworkOf(code);
  if (framework === undefined || own === framework || own === ANY) return undefined;
  return `No example for ${framework}; this one is for ${own}.`;
}

import type {
  AttackScenario,
  CodeExample,
  Mitigation,
  PublicReference,
  Testing,
  ThreatPattern,
} from "./format/pattern.js";

/** A pattern as a page for people, with both sides of its code. */
export function toMarkdown(pattern: ThreatPattern): string {
  const { id, name, description, agent_summary: summary, differentiation, provenance } = pattern;
  const parts = [
    `# ${id}: ${name}`,
    factsOf(pattern),
    description.trim(),
    section("In short", [
      `- **Threat**: ${summary.threat}`,
      `- **Check**: ${summary.check}`,
      `- **Fix**: ${summary.fix}`,
    ]),
    pattern.attack_scenario === undefined ? "" : scenarioOf(pattern.attack_scenario),
    ...pattern.mitigations.map(mitigationOf),
    section("What models miss", bullets(differentiation?.llm_blindspots)),
    section(
      "Principles",
      (pattern.security_principles ?? []).map(
        ({ principle, explanation }) => `- **${principle}**${explanation === undefined ? "" : `: ${explanation}`}`,
      ),
    ),
    pattern.testing === undefined ? "" : testingOf(pattern.testing),
    section(
      "Related",
      (pattern.related_patterns ?? []).map(
        ({ id: other, relationship = "related", description: why }) =>
          `- [${other}](threat://${other}) (${relationship})${why === undefined ? "" : `: ${why}`}`,
      ),
    ),
    section("References", (provenance?.public_references ?? []).map(referenceOf)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function factsOf(pattern: ThreatPattern): string {
  const { severity, likelihood, tier, category, subcategory, version, last_updated: day } = pattern;
  const facts = [
    `Severity **${severity}**`,
    ...(likelihood === undefined ? [] : [`likelihood **${likelihood}**`]),
    `tier ${tier}`,
    `family ${category}${subcategory === undefined ? "" : ` / ${subcategory}`}`,
    ...(version === undefined ? [] : [`version ${version}${day === undefined ? "" : ` of ${day}`}`]),
  ];
  return facts.join(" · ");
}

function scenarioOf({ narrative, preconditions, attack_steps: steps = [], impact = {} }: AttackScenario): string {
  const { scope, business_impact: business, ...degrees } = impact;
  const costs = Object.entries(degrees).map(([what, degree]) => `${what} ${degree}`);
  return section("How it is exploited", [
    narrative.trim(),
    ...under("Before it works:", bullets(preconditions)),
    ...under(
      "Steps:",
      steps.map(({ step, action, detail }) => `${step}. ${action}${detail === undefined ? "" : `: ${detail}`}`),
    ),
    ...under(
      "What it costs:",
      bullets([...(costs.length > 0 ? [costs.join(", ")] : []), ...present([scope, business])]),
    ),
  ]);
}

function mitigationOf(mitigation: Mitigation): string {
  const { id, name, description, effectiveness, implementation_effort: effort, tradeoffs } = mitigation;
  const facts = present([
    effectiveness === undefined ? undefined : `effectiveness ${effectiveness}`,
    effort === undefined ? undefined : `effort ${effort}`,
  ]);
  return section(`Mitigation ${id}${name === undefined ? "" : `: ${name}`}`, [
    description.trim() + (facts.length === 0 ? "" : ` (${facts.join(", ")})`),
    ...under("Tradeoffs:", bullets(tradeoffs)),
    ...(mitigation.code_examples ?? []).map(exampleOf),
  ]);
}

function exampleOf({
  language,
  framework = "any",
  description,
  vulnerable_code: wrong,
  secure_code: right,
}: CodeExample) {
  const title = framework === "any" ? language : `${language} / ${framework}`;
  return [
    `\n### ${title}${description === undefined ? "" : `: ${description}`}`,
    ...(wrong === undefined ? [] : ["Vulnerable:", fenced(language, wrong)]),
    "Secure:",
    fenced(language, right),
  ].join("\n\n");
}

/** A fence longer than any row of backquotes in the code. */
function fenced(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${FENCES[language] ?? language}\n${code.trimEnd()}\n${fence}`;
}

const FENCES: Readonly<Record<string, string>> = { "github-actions": "yaml", terraform: "hcl" };

function testingOf({ manual_verification: hint = [], automated_checks: checks = [] }: Testing): string {
  return section("How to verify", [
    ...hint.map(({ step, check }) => `- [ ] ${step}${check === undefined ? "" : ` → ${check}`}`),
    ...checks.map(
      ({ description, type }) => `- [ ] ${description} (${type === "code" ? "tmkb_review looks for it" : type})`,
    ),
  ]);
}

function referenceOf({ cwe, owasp, asvs, name, url }: PublicReference): string {
  const id = cwe ?? (owasp === undefined ? `ASVS ${asvs}` : `OWASP ${owasp}`);
  const text = name === undefined ? id : `${id}: ${name}`;
  return url === undefined ? `- ${text}` : `- [${text}](${url})`;
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `## ${title}\n\n${lines.join("\n")}`;

const under = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`\n${title}\n`, ...lines];

const bullets = (texts: readonly string[] = []): readonly string[] => texts.map((text) => `- ${text}`);

const present = (texts: readonly (string | undefined)[]): readonly string[] =>
  texts.filter((text) => text !== undefined);

/** The families of patterns, in the order in which they are listed. */
export const CATEGORIES = [
  "authz",
  "tenant",
  "async",
  "authn",
  "logic",
  "input",
  "files",
  "outbound",
  "crypto",
  "fail",
  "supply",
  "config",
  "privacy",
  "browser",
  "agent",
] as const;

/** Severities, most severe first. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;

/** A degree of likelihood, effectiveness or effort. */
export const DEGREES = ["high", "medium", "low"] as const;

/** The degree of an impact. */
export const IMPACTS = ["none", "low", "medium", "high"] as const;

/** A: documented in full; B: in short. */
export const TIERS = ["A", "B"] as const;

/** The source of a pattern. */
export const SOURCE_TYPES = ["public_taxonomy", "incident_class", "own_analysis"] as const;

/** The relationship between two patterns. */
export const RELATIONSHIPS = ["extends", "related", "prerequisite"] as const;

/** A family of patterns. Those of users may be of families of their own. */
export type Category = string;
/** The severity of a pattern. */
export type Severity = (typeof SEVERITIES)[number];
/** A degree of likelihood, effectiveness or effort. */
export type Degree = (typeof DEGREES)[number];
/** The degree of an impact. */
type Impact = (typeof IMPACTS)[number];
/** The level of detail of a pattern. */
export type Tier = (typeof TIERS)[number];
/** The source of a pattern. */
type SourceType = (typeof SOURCE_TYPES)[number];
/** The relationship between two patterns. */
type Relationship = (typeof RELATIONSHIPS)[number];

/** The summary for agents: three short sentences. */
export interface AgentSummary {
  readonly threat: string;
  readonly check: string;
  readonly fix: string;
}

/** An entry of a public list: exactly one of the three ids is there. */
export interface PublicReference {
  readonly cwe?: string;
  readonly owasp?: string;
  readonly asvs?: string;
  readonly name?: string;
  readonly url?: string;
}

/** Where a pattern is from. */
interface Provenance {
  readonly source_type?: SourceType;
  readonly description?: string;
  readonly public_references?: readonly PublicReference[];
}

/** What a task says that needs this pattern. */
interface Triggers {
  readonly keywords?: readonly string[];
  readonly actions?: readonly string[];
  readonly file_patterns?: readonly string[];
}

/** Why a model needs to be told. */
interface Differentiation {
  readonly llm_knowledge_state?: string;
  readonly tmkb_value?: string;
  readonly llm_blindspots?: readonly string[];
}

/** How it is exploited. */
export interface AttackScenario {
  readonly narrative: string;
  readonly preconditions?: readonly string[];
  readonly attack_steps?: readonly AttackStep[];
  readonly impact?: AttackImpact;
}

/** One step of an attacker. */
interface AttackStep {
  readonly step: number;
  readonly action: string;
  readonly detail?: string;
}

/** What an attack costs. */
interface AttackImpact {
  readonly confidentiality?: Impact;
  readonly integrity?: Impact;
  readonly availability?: Impact;
  readonly scope?: string;
  readonly business_impact?: string;
}

/** A way to do it wrong and the same done right. */
export interface CodeExample {
  readonly language: string;
  readonly framework?: string;
  readonly description?: string;
  readonly vulnerable_code?: string;
  readonly secure_code: string;
}

/** What helps against it. */
export interface Mitigation {
  readonly id: string;
  readonly name?: string;
  readonly description: string;
  readonly effectiveness?: Degree;
  readonly implementation_effort?: Degree;
  readonly tradeoffs?: readonly string[];
  readonly code_examples?: readonly CodeExample[];
}

/** A rule behind a mitigation. */
interface SecurityPrinciple {
  readonly principle: string;
  readonly explanation?: string;
}

/** Another pattern that belongs to this one. */
interface RelatedPattern {
  readonly id: string;
  readonly relationship?: Relationship;
  readonly description?: string;
}

/** What a person does to see whether it is there. */
interface ManualCheck {
  readonly step: string;
  readonly check?: string;
}

/** What the review looks for in sources; both expressions are JavaScript's, with the flag m. */
interface AutomatedCheck {
  readonly type: string;
  readonly description: string;
  readonly languages?: readonly string[];
  /** A line that does the risky thing. */
  readonly pattern?: string;
  /** What should be seen near it; without one the line itself is the fault. */
  readonly expectation?: string;
}

/** Questions that prove the triggers. */
interface PatternQueries {
  readonly finds?: readonly string[];
  readonly ignores?: readonly string[];
}

/** How to see that a project is safe from it. */
export interface Testing {
  readonly manual_verification?: readonly ManualCheck[];
  readonly automated_checks?: readonly AutomatedCheck[];
  readonly queries?: PatternQueries;
}

/** What models did without this pattern. */
interface BaselineTest {
  readonly prompt: string;
  readonly expected_failure?: string;
  readonly observed?: string;
  readonly date?: string;
}

/** A way in which designs go wrong, as its YAML file tells it; the names are those of the file. */
export interface ThreatPattern {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier;
  readonly category: Category;
  readonly subcategory?: string;
  readonly severity: Severity;
  readonly likelihood?: Degree;
  readonly version?: string;
  /** A day, as in 2026-11-01. */
  readonly last_updated?: string;
  readonly language?: string;
  readonly framework?: string;
  readonly generalizes_to?: readonly string[];
  readonly description: string;
  readonly provenance?: Provenance;
  readonly triggers?: Triggers;
  readonly differentiation?: Differentiation;
  readonly agent_summary: AgentSummary;
  readonly attack_scenario?: AttackScenario;
  readonly mitigations: readonly Mitigation[];
  readonly security_principles?: readonly SecurityPrinciple[];
  readonly related_patterns?: readonly RelatedPattern[];
  readonly testing?: Testing;
  readonly validation?: { readonly baseline_test?: BaselineTest };
}

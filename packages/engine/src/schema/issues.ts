import { joinPath } from "./describe.js";

const MAX_ISSUES = 20;
const MAX_VISITS = 20_000;

/** The keys and indexes that lead to a part of a value. */
export type ValuePath = readonly (string | number)[];

/** One thing that is wrong with a value. */
export interface Issue {
  readonly path: ValuePath;
  readonly message: string;
  readonly isUnknownProperty?: boolean;
}

/** Collects the issues of one part of a value and, through its children, of everything in it. The search ends when it is full. */
export class IssueScope {
  readonly path: ValuePath;
  /** The issues of the whole value so far. */
  readonly issues: Issue[];
  readonly #visits: { count: number };

  constructor(path: ValuePath = [], issues: Issue[] = [], visits = { count: 0 }) {
    this.path = path;
    this.issues = issues;
    this.#visits = visits;
  }

  /** Whether there are more issues than are shown, or too many parts were visited. */
  get isFull(): boolean {
    return this.issues.length > MAX_ISSUES || this.#visits.count > MAX_VISITS;
  }

  /** How many more issues are worth finding. */
  get capacity(): number {
    return MAX_ISSUES + 1 - this.issues.length;
  }

  /** Adds an issue of this part. */
  add(message: string, isUnknownProperty = false): void {
    if (!this.isFull) this.issues.push({ path: this.path, message, isUnknownProperty });
  }

  /** Counts a visit; false = the search is over. */
  tryVisit(): boolean {
    this.#visits.count++;
    return !this.isFull;
  }

  /** The scope of a property or item. */
  child(key: string | number): IssueScope {
    return new IssueScope([...this.path, key], this.issues, this.#visits);
  }
}

/** Formats issues, a line each, the first twenty. */
export function formatIssues(issues: readonly Issue[]): string[] {
  const lines = new Set(
    issues.map(({ path, message }) => (path.length === 0 ? message : `${path.reduce(joinPath, "")}: ${message}`)),
  );
  return lines.size > MAX_ISSUES ? [...[...lines].slice(0, MAX_ISSUES), "and more"] : [...lines];
}

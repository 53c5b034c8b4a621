import type { CodeCheck } from "./checks.js";
import type { ReadText } from "./read-text.js";
import type { Section } from "./sections.js";
import { type Found, type Span, searchInTime } from "./timed-search.js";

/** How sure a finding is: high = the line itself is the fault; medium = its check is not in the same function; low = it may be elsewhere. */
export type Confidence = "high" | "medium" | "low";

/** How sure it is that a check is missing; seen = it is there; or why nobody knows. */
export type Judgement = Confidence | "seen" | Extract<Found, string>;

/** Judges in which functions of one text the check is missing that guards a risky thing. */
export class Judge {
  readonly #expectation: string | undefined;
  readonly #read: ReadText;
  readonly #until: number;
  /** A function may do the risky thing a hundred times, and a text without functions is one long section. */
  readonly #judged = new Map<number, Judgement>();
  #isForAll: boolean | undefined;

  /** It has time until then, on the clock of `performance.now`. */
  constructor({ expectation }: CodeCheck, read: ReadText, until: number) {
    this.#expectation = expectation;
    this.#read = read;
    this.#until = until;
  }

  judge(section: Section): Judgement {
    const judgement = this.#judged.get(section.start) ?? this.#look(section);
    this.#judged.set(section.start, judgement);
    return judgement;
  }

  #look(section: Section): Judgement {
    if (this.#expectation === undefined) return "high";
    const here = this.#seenIn(this.#expectation, section);
    if (typeof here === "string") return here;
    if (here.length > 0) return "seen";
    if (section.name === undefined) return "medium";
    this.#isForAll ??= this.#looksForAll(this.#expectation);
    return this.#isForAll ? "low" : "medium";
  }

  /** Whether it is done for the whole file, such as by a layer around all routes, and so perhaps for each place in it. */
  #looksForAll(expectation: string): boolean {
    const { code } = this.#read;
    const elsewhere = this.#seenIn(expectation, { start: 0, end: code.length });
    if (typeof elsewhere === "string") return false;
    return elsewhere.some(
      ({ start }) =>
        this.#read.sectionAt(start).name === undefined &&
        !IMPORT.test(code.slice(code.lastIndexOf("\n", start) + 1, start)),
    );
  }

  #seenIn(expectation: string, { start, end }: Span): Found {
    const [found = "late"] = searchInTime([expectation], this.#read.code.slice(start, end), this.#until);
    if (typeof found === "string") return found;
    return found
      .map((span) => ({ start: span.start + start, end: span.end + start }))
      .filter((span) => this.#read.isSeen(span));
  }
}

const IMPORT = /^\s*(?:(?:import|from|use|using|require)\b|(?:const|let|var)\s*\{)/;

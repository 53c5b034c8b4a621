import type { SyntaxNode } from "@toolwright/kit/syntax";
import type { Increment } from "./measures.js";
import type { Cognition } from "./rules.js";

/** A cognitive increment, before it is known of which function it is told. */
export interface Counted {
  readonly frame: Frame;
  readonly line: number;
  readonly reason: string;
  /** How many levels deep it lies in the text; undefined = it adds one wherever it lies. */
  readonly level?: number;
}

/** A function or lambda while a text is gone through, and what was found in it. */
export class Frame {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly around: Frame | undefined;
  /** What its decisions count to: itself, if it is measured on its own. */
  readonly owner: Frame;
  /** The level in the text at which its own code begins. */
  readonly base: number;
  /** How it would be called by itself. */
  readonly selfCall: string | undefined;
  readonly decisions: Increment[] = [];
  readonly own: Counted[] = [];
  /** Where among all that was counted that of it and of functions inside begins and ends. */
  readonly from: number;
  to = 0;
  recurses = false;
  #hasStructure = false;
  #nesting = 0;
  #innerNesting = 0;

  constructor(given: Pick<Frame, "node" | "name" | "around" | "base" | "selfCall" | "from"> & { isMeasured: boolean }) {
    this.node = given.node;
    this.name = given.name;
    this.around = given.around;
    this.owner = given.isMeasured ? this : (given.around?.owner ?? this);
    this.base = given.base;
    this.selfCall = given.selfCall;
    this.from = given.from;
  }

  /** Notes a control structure: that there is one, and how deep it lies. */
  note({ adds, nests }: Cognition, structures: number): void {
    if (adds === "structure") this.#hasStructure = true;
    if (nests.length > 0) this.#nesting = Math.max(this.#nesting, structures + 1);
  }

  /** Ends it: nothing more is found in it. */
  end(counted: number): void {
    this.to = counted;
    if (this.around !== undefined)
      this.around.#innerNesting = Math.max(this.around.#innerNesting, this.#innerNesting, this.#nesting);
  }

  /** What makes it hard to follow, and how deep its control structures lie; without the functions inside, if it only declares them. */
  cognitive(all: readonly Counted[], mayDeclare: boolean): Cognitive {
    const own = this.own.map((each) => this.#tell(each));
    if (mayDeclare && !this.#hasStructure) return { increments: own, nesting: this.#nesting };
    for (let at = this.from; at < this.to; at++) {
      const each = all[at];
      if (each !== undefined && each.frame !== this) own.push(this.#tell(each));
    }
    return { increments: own, nesting: Math.max(this.#nesting, this.#innerNesting) };
  }

  #tell({ line, reason, level = this.base }: Counted): Increment {
    const nesting = level - this.base;
    return { metric: "cognitive", line, adds: 1 + nesting, reason, ...(nesting > 0 && { nesting }) };
  }
}

/** What makes a function hard to follow, and how deep its control structures lie in each other. */
interface Cognitive {
  readonly increments: readonly Increment[];
  readonly nesting: number;
}

import { setImmediate as others } from "node:timers/promises";
import type { Sql } from "@toolwright/kit/storage";
import type { Run } from "./run.js";
import type { Outcome } from "./wish.js";
import { beginRevision, finishRevision, type Prepared, partsOf, writeChunks, writePart } from "./write-revision.js";

/** How much text goes into one transaction, in UTF-16 units: a few milliseconds of work. */
const SLICE = 200_000;
const MOST_OUTCOMES = 200;

/** Writes documents in batches, since each transaction has a price of its own; a large one in several. */
export class Writer {
  readonly #run: Run;
  readonly #now: () => string;
  #waiting: { readonly prepared: Prepared; readonly written: (revision: number) => void }[] = [];
  #outcomes: Outcome[] = [];
  #size = 0;

  constructor(run: Run, now: () => string) {
    this.#run = run;
    this.#now = now;
  }

  /** Takes a document to be written; `written` hears its revision. */
  async add(prepared: Prepared, written: (revision: number) => void): Promise<void> {
    const size = prepared.reading.text.length;
    if (size > SLICE) written(await this.#writeLarge(prepared));
    else {
      this.#waiting.push({ prepared, written });
      this.#size += size + 1000;
    }
    if (this.#size > SLICE) await this.flush();
  }

  /** Takes down what became of a document. */
  async note(outcome: Outcome): Promise<void> {
    this.#outcomes.push(outcome);
    if (this.#outcomes.length >= MOST_OUTCOMES) await this.flush();
  }

  async flush(): Promise<void> {
    const [waiting, outcomes] = [this.#waiting, this.#outcomes];
    if (waiting.length === 0 && outcomes.length === 0) return;
    this.#waiting = [];
    this.#outcomes = [];
    this.#size = 0;
    const revisions = await this.#run.write(async (sql) => {
      const made: number[] = [];
      for (const { prepared } of waiting) made.push(await this.#writeWhole(sql, prepared));
      await this.#run.note(sql, outcomes);
      return made;
    });
    for (const [at, { written }] of waiting.entries()) written(revisions[at] as number);
    await others();
  }

  async #writeWhole(sql: Sql, prepared: Prepared): Promise<number> {
    const revision = await beginRevision(sql, this.#run.collection.id, prepared, this.#now());
    for (const part of partsOf(prepared.reading.text)) await writePart(sql, revision, part);
    await writeChunks(sql, revision, prepared, prepared.chunks);
    await finishRevision(sql, revision);
    return revision;
  }

  async #writeLarge(prepared: Prepared): Promise<number> {
    const { collection } = this.#run;
    const revision = await this.#run.write((sql) => beginRevision(sql, collection.id, prepared, this.#now()));
    const parts = partsOf(prepared.reading.text);
    const chunks = prepared.chunks.values();
    await this.#inSlices(
      parts,
      ({ text }) => text.length,
      async (sql, some) => {
        for (const part of some) await writePart(sql, revision, part);
      },
    );
    await this.#inSlices(
      chunks,
      ({ content }) => content.length,
      (sql, some) => writeChunks(sql, revision, prepared, some),
    );
    await this.#run.write((sql) => finishRevision(sql, revision));
    return revision;
  }

  async #inSlices<Item>(
    items: Iterator<Item>,
    sizeOf: (item: Item) => number,
    write: (sql: Sql, some: readonly Item[]) => Promise<void>,
  ): Promise<void> {
    for (let next = items.next(); !next.done; await others())
      next = await this.#run.write(async (sql) => {
        let step = next;
        const some: Item[] = [];
        for (let size = 0; !step.done && size < SLICE; step = items.next()) {
          some.push(step.value);
          size += sizeOf(step.value);
        }
        await write(sql, some);
        return step;
      });
  }
}

import type { Sql } from "@toolwright/kit/storage";
import { type Passage, readPassages } from "./hits.js";
import { type IndexRows, placeOf } from "./index-rows.js";

/** The passages that rows stand for, each read once in a search. */
export class RowPassages {
  readonly #sql: Sql;
  readonly #index: IndexRows;
  readonly #read = new Map<number, Passage>();

  constructor(sql: Sql, index: IndexRows) {
    this.#sql = sql;
    this.#index = index;
  }

  /** In the order of the rows; one that has gone meanwhile is not among them. */
  async of(rows: readonly number[]): Promise<ReadonlyMap<number, Passage>> {
    const missing = rows.filter((row) => !this.#read.has(row));
    const numbers = new Map(missing.map((row) => [row, this.#numberOf(row)]));
    const found = await readPassages(this.#sql, [...numbers.values()]);
    for (const [row, number] of numbers) {
      const passage = found.get(number);
      if (passage !== undefined) this.#read.set(row, passage);
    }
    return new Map(
      rows.flatMap((row) => {
        const passage = this.#read.get(row);
        return passage === undefined ? [] : [[row, passage] as const];
      }),
    );
  }

  #numberOf(row: number): number {
    const { part, at } = placeOf(this.#index, row);
    return part.columns.number[at] as number;
  }
}

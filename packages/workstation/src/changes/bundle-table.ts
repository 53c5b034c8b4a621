import type { Database, Row, Statement } from "@toolwright/kit/storage";
import type { Author } from "./author.js";
import type { Bundle } from "./change.js";

/** A name for a moment in the life of the files. */
export interface Checkpoint {
  readonly name: string;
  /** The last change before it. */
  readonly change: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

/** The rows of the transactions and of the checkpoints. */
export class BundleTable {
  readonly #open: Statement;
  readonly #find: Statement;
  readonly #begin: Statement;
  readonly #hold: Statement;
  readonly #end: Statement;
  readonly #mark: Statement;
  readonly #marked: Statement;
  readonly #marks: Statement;

  constructor(database: Database) {
    this.#open = database.prepare("SELECT * FROM bundles WHERE principal = ? AND state = 'open' ORDER BY id");
    this.#find = database.prepare("SELECT * FROM bundles WHERE id = ?");
    this.#begin = database.prepare(
      "INSERT INTO bundles (principal, name, roots, state, begun_at, holder) VALUES (?, ?, ?, 'open', ?, ?) RETURNING id",
    );
    this.#hold = database.prepare("UPDATE bundles SET holder = ? WHERE id = ?");
    this.#end = database.prepare("UPDATE bundles SET state = ? WHERE id = ?");
    this.#mark = database.prepare("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?)");
    this.#marked = database.prepare("SELECT * FROM checkpoints WHERE principal = ? AND root = ? AND name = ?");
    this.#marks = database.prepare(
      "SELECT name FROM checkpoints WHERE principal = ? AND root = ? ORDER BY made_at DESC LIMIT 100",
    );
  }

  /** The transactions of somebody that are open, whichever process holds them. */
  open(principal: string): readonly Bundle[] {
    return this.#open.all(principal).map(toBundle);
  }

  find(id: number): Bundle | undefined {
    const row = this.#find.get(id);
    return row && toBundle(row);
  }

  begin({ principal, name, roots, begunAt, holder }: Omit<Bundle, "id" | "state">): number {
    return Number(this.#begin.get(principal, name, JSON.stringify(roots), begunAt, holder)?.["id"]);
  }

  /** Says who goes on with a transaction. */
  hold(id: number, holder: string): void {
    this.#hold.run(holder, id);
  }

  end(id: number, state: Bundle["state"]): void {
    this.#end.run(state, id);
  }

  mark(author: Author, { name, change, madeAt }: Checkpoint): void {
    this.#mark.run(...scopeOf(author), name, change, madeAt);
  }

  marked(author: Author, name: string): Checkpoint | undefined {
    const row = this.#marked.get(...scopeOf(author), name);
    return row && { name, change: Number(row["change"]), madeAt: Number(row["made_at"]) };
  }

  /** The names of somebody's checkpoints, newer ones first. */
  marks(author: Author): readonly string[] {
    return this.#marks.all(...scopeOf(author)).map((row) => String(row["name"]));
  }
}

/** One name may mean a moment in each of several projects. */
const scopeOf = ({ principal, reach }: Author): [string, string] => [principal, reach.roots[0] ?? ""];

const toBundle = (row: Row): Bundle => ({
  id: Number(row["id"]),
  principal: String(row["principal"]),
  name: String(row["name"]),
  roots: JSON.parse(String(row["roots"])) as string[],
  state: row["state"] as Bundle["state"],
  begunAt: Number(row["begun_at"]),
  holder: String(row["holder"]),
});

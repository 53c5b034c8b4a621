import type { Desk } from "../desk.js";

/** How much happened on one day. */
export interface Day {
  /** YYYY-MM-DD, in UTC. */
  readonly day: string;
  readonly created: number;
  readonly completed: number;
  readonly events: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * How much happened on each of the last days, the oldest first; days on which nothing happened are there too. What was imported
 * counts on the day on which it came.
 */
export async function activity(desk: Desk, days: number): Promise<readonly Day[]> {
  const last = Date.parse(desk.now());
  const names = Array.from({ length: days }, (_, index) => dayOf(last - (days - 1 - index) * DAY_MS));
  const ledger = await desk.ledger();
  const rows = await ledger.read((sql) =>
    sql.all(
      `SELECT substr(at, 1, 10) AS day, count(*) AS events,
       sum(CASE WHEN kind IN ('created', 'imported') AND before IS NULL THEN 1 ELSE 0 END) AS created,
       sum(CASE WHEN kind IN ('updated', 'checked', 'imported') AND after LIKE '%"status":"completed"%'
         AND (before IS NULL OR before NOT LIKE '%"status":"completed"%') THEN 1 ELSE 0 END) AS completed
       FROM events WHERE at >= ? GROUP BY substr(at, 1, 10)`,
      names[0] ?? "",
    ),
  );
  const known = new Map(rows.map((row) => [String(row["day"]), row]));
  return names.map((day) => {
    const row = known.get(day);
    const count = (column: string): number => Number(row?.[column] ?? 0);
    return { day, created: count("created"), completed: count("completed"), events: count("events") };
  });
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

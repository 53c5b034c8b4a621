/** The moment at which a period ends: now, or what SOURCE_DATE_EPOCH says, so that a report can be made again to the letter. */
export function readNow(env: Readonly<Record<string, string | undefined>>): Date {
  const seconds = env["SOURCE_DATE_EPOCH"];
  return seconds !== undefined && /^\d{1,12}$/.test(seconds) ? new Date(Number(seconds) * 1000) : new Date();
}

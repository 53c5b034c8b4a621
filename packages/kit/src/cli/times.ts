const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A moment for people: how long ago it was, or how soon it comes; one that is far away is a date. */
export function relative(at: string, now: Date): string {
  const distance = now.getTime() - Date.parse(at);
  const [far, words] = [Math.abs(distance), (text: string) => (distance < 0 ? `in ${text}` : `${text} ago`)];
  if (Number.isNaN(far)) return at;
  if (far < MINUTE) return distance < 0 ? "in a moment" : "just now";
  if (far < HOUR) return words(`${Math.floor(far / MINUTE)}m`);
  if (far < DAY) return words(`${Math.floor(far / HOUR)}h`);
  return far < 30 * DAY ? words(`${Math.floor(far / DAY)}d`) : at.slice(0, 10);
}

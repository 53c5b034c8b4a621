/** What the tools say of each other and of their arguments, and what a person at a terminal says instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /\bkb_list_collections shows those that there are; kb_create makes one\b/g,
    '"toolwright kb list" has those that there are; "toolwright kb ingest" makes one',
  ],
  [/\bkb_hybrid_search gives ids\b/g, '"toolwright kb search" gives ids'],
  [/\bkb_versions shows which are ready\b/g, '"toolwright kb versions" has those that are ready'],
  [/\bkb_pin unpins it\b/g, '"toolwright kb unpin" lets go of it'],
  [/\bIngest into another collection\b/g, "Name another collection with -c"],
  [/\bpromote it with force\b/g, "promote it with --force"],
  [/\bGive "questions", and "save" to keep them\b/g, "Give --questions FILE, and --save to keep them"],
  [/\bkb_(create|ingest|promote|rollback|pin|evaluate|export|import|delete|answer)\b/g, '"toolwright kb $1"'],
  [/\bkb_hybrid_search\b/g, '"toolwright kb search"'],
  [/\bkb_(register|activate|deactivate)_tool\b/g, '"toolwright kb tool $1"'],
];

/** A message of the pack in the words of the command line. */
export const forPeople = (message: string): string =>
  WORDS.reduce((said, [pattern, words]) => said.replaceAll(pattern, words), message).replace(/\.$/, "");

/** A number with what it counts. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes as people read it. */
export function size(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

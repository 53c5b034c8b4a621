/** What the tools say of each other and of their arguments, and what a person at a terminal says instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bget_blockers shows (them|which)\b/g, '"toolwright task show" has $1'],
  [/\bset cascade to delete them with it\b/g, "give --cascade to delete them with it"],
  [/\blist_tasks shows them\b/g, '"toolwright task list" has them'],
  [/\btask_history shows all of it; change it with update_task\b/g, '"toolwright task history" has all of it'],
  [/\bSay why it is opened again, with reason\b/g, "Say why it is opened again, with --reason"],
  [
    /\bGive it one with done_when of update_task\b/g,
    'Give it one: "toolwright task edit" with --done-file or --done-command',
  ],
];

/** A message of the pack in the words of the command line. */
export const forPeople = (message: string): string =>
  WORDS.reduce((said, [pattern, words]) => said.replaceAll(pattern, words), message).replace(/\.$/, "");

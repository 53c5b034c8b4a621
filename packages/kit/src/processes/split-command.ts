import { ToolError } from "@toolwright/engine";

/** A command line that was taken apart. */
export interface CommandLine {
  readonly argv: readonly string[];
  /** Words outside of quotes that a shell would have acted on, such as `|` or `$(date)`; here they are plain text. */
  readonly shellWords: readonly string[];
}

const SHELL_WORD = /^(?:\d*(?:>>?|<<?<?)(?:&\d)?.*|&>.*|&&?|\|\|?|;;?|.*;)$|\$\(|`|\$\{?\w|^\(.*\)$/;

/**
 * Splits a command line into arguments. Spaces, tabs and newlines separate them. Inside '…' every character is itself. Inside "…" a
 * backslash before " or \ stands for that character, and before any other for itself. Outside of quotes a backslash makes the next
 * character plain. '' and "" are empty arguments. Nothing is expanded: there is no shell.
 */
export function splitCommand(command: string): CommandLine {
  const argv: string[] = [];
  const shellWords: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  const finish = (): void => {
    if (word === undefined) return;
    argv.push(word);
    if (!isQuoted && SHELL_WORD.test(word)) shellWords.push(word);
    word = undefined;
    isQuoted = false;
  };
  for (let at = 0; at < command.length; at += 1) {
    const character = command.charAt(at);
    if (/\s/.test(character)) finish();
    else if (character === "'" || character === '"') {
      const { text, end } = readQuoted(command, at);
      word = (word ?? "") + text;
      isQuoted = true;
      at = end;
    } else if (character === "\\") {
      at += 1;
      if (at === command.length)
        throw wrongCommand(command, "it ends in a backslash. Write \\\\ for one, or leave it out");
      word = (word ?? "") + command.charAt(at);
      isQuoted = true;
    } else word = (word ?? "") + character;
  }
  finish();
  if (argv.length === 0) throw wrongCommand(command, "it is empty");
  return { argv, shellWords };
}

function readQuoted(command: string, start: number): { readonly text: string; readonly end: number } {
  const quote = command.charAt(start);
  let text = "";
  for (let at = start + 1; at < command.length; at += 1) {
    const character = command.charAt(at);
    if (character === quote) return { text, end: at };
    const next = command.charAt(at + 1);
    if (quote === '"' && character === "\\" && (next === '"' || next === "\\")) {
      text += next;
      at += 1;
    } else text += character;
  }
  throw wrongCommand(command, `the quote ${quote} at character ${start + 1} is never closed`);
}

const wrongCommand = (command: string, reason: string): ToolError =>
  new ToolError(`Cannot read the command ${JSON.stringify(command.slice(0, 300))}: ${reason}.`, {
    code: "INVALID_ARGUMENT",
    details: { command: command.slice(0, 1000) },
  });

import type { Commands } from "../command.js";
import { commands, hasGrammar, optionValues, type Place, places } from "./grammar.js";

/** What fish needs to complete the command line. */
export async function writeFish(all: Commands): Promise<string> {
  return `# Completion of toolwright for fish: toolwright completion fish > ~/.config/fish/completions/toolwright.fish
function __toolwright_at
    set -l words (commandline -opc)
    set -l place (string join ' ' $words[2..3])
    contains -- "$place" $argv; or contains -- "$words[2] *" $argv
end
function __toolwright_behind
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"; and contains -- $words[-1] $argv[2..]
end
function __toolwright_offered
    set -l words (commandline -opc)
    set -l at (contains -i -- --database $words)
    set -l database
    test -n "$at"; and set database $words[(math $at + 1)]
    $words[1] $argv (commandline -ct) $database 2>/dev/null
end
${commands(all)
  .map(
    ({ word, about }) =>
      `complete -c toolwright -n 'test (count (commandline -opc)) -eq 1' -f -a ${word} -d ${quoted(about)}`,
  )
  .join("\n")}
${(await places(all)).flatMap(linesOf).join("\n")}
${optionValues()
  .flatMap(([command, values]) =>
    values.map(({ option, among, offered }) => {
      const offers = among === undefined ? `'(__toolwright_offered ${offered})'` : `'${among.join(" ")}'`;
      return `complete -c toolwright -n '__toolwright_behind ${command} ${option}' -f -a ${offers}`;
    }),
  )
  .join("\n")}
`;
}

function linesOf({ path, deeds, options, offered }: Place): string[] {
  const at = `'__toolwright_at "${path}"${path.includes(" ") || hasGrammar(path) ? "" : ` "${path} *"`}'`;
  return [
    ...deeds.map(
      ({ word, about }) => `complete -c toolwright -n '__toolwright_at "${path}"' -f -a ${word} -d ${quoted(about)}`,
    ),
    ...options.map(
      (option) =>
        `complete -c toolwright -n ${at} ${option.startsWith("--") ? `-l ${option.slice(2)}` : `-s ${option.slice(1)}`}`,
    ),
    ...(offered === undefined ? [] : [`complete -c toolwright -n ${at} -f -a '(__toolwright_offered ${offered})'`]),
  ];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

import type { Commands } from "../command.js";
import { commands, hasGrammar, type OptionValue, optionValues, type Place, places } from "./grammar.js";

/** What bash needs to complete the command line. */
export async function writeBash(all: Commands): Promise<string> {
  const valueOf = ({ option, among, offered }: OptionValue): string =>
    `      ${option}) ${among === undefined ? `offered='${offered}'` : `words='${among.join(" ")}' offered=''`} ;;`;
  return `# Completion of toolwright for bash: source <(toolwright completion bash)
_toolwright() {
  local program=$1 current=$2 previous=$3 place=\${COMP_WORDS[1]-} words='' options='' offered='' database='' at
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words='${[...commands(all).map(({ word }) => word), "--help", "--version"].join(" ")}'
  else
    ((COMP_CWORD > 2)) && place="$place \${COMP_WORDS[2]}"
    case $place in
${(await places(all)).map(caseOf).join("\n")}
    esac
${optionValues()
  .map(
    ([command, values]) => `    [[ $place == '${command} '* ]] && case $previous in
${values.map(valueOf).join("\n")}
    esac`,
  )
  .join("\n")}
    [[ $current == -* ]] && words=$options offered=''
  fi
  if [[ -n $offered ]]; then
    for ((at = 3; at < COMP_CWORD; at++)); do
      [[ \${COMP_WORDS[at]} == --database ]] && database=\${COMP_WORDS[at + 1]}
    done
    words=$("$program" $offered "$current" \${database:+"$database"} 2>/dev/null | cut -f1)
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _toolwright toolwright
`;
}

function caseOf({ path, deeds, options, offered }: Place): string {
  const isAlone = deeds.length > 0 || path.includes(" ");
  const pattern = isAlone ? `'${path}'` : `${path} | '${path} '*`;
  const words = deeds.length === 0 ? "" : `words='${deeds.map(({ word }) => word).join(" ")}' `;
  const line = `      ${pattern}) ${words}options='${options.join(" ")}'${offered === undefined ? "" : ` offered='${offered}'`} ;;`;
  // The deeds of other commands have the options of the command.
  return deeds.length === 0 || hasGrammar(path)
    ? line
    : `${line}\n      '${path} '*) options='${options.join(" ")}' ;;`;
}

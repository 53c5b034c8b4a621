import { commands, optionValues, type Place, places } from "./grammar.js";

/** What bash needs to complete the command line. */
export function writeBash(): string {
  const values = optionValues().map(({ option, among }) =>
    among === undefined ? `      ${option}) ids=1 ;;` : `      ${option}) words='${among.join(" ")}' ;;`,
  );
  return `# Completion of toolwright for bash: source <(toolwright completion bash)
_toolwright() {
  local program=$1 current=$2 previous=$3 place=\${COMP_WORDS[1]-} words='' options='' ids='' database='' at
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words='${[...commands().map(({ word }) => word), "--help", "--version"].join(" ")}'
  else
    ((COMP_CWORD > 2)) && place="$place \${COMP_WORDS[2]}"
    case $place in
${places().map(caseOf).join("\n")}
    esac
    [[ $place == 'task '* ]] && case $previous in
${values.join("\n")}
    esac
    [[ $current == -* ]] && words=$options ids=''
  fi
  if [[ -n $ids ]]; then
    for ((at = 3; at < COMP_CWORD; at++)); do
      [[ \${COMP_WORDS[at]} == --database ]] && database=\${COMP_WORDS[at + 1]}
    done
    words=$("$program" task complete-ids "$current" \${database:+"$database"} 2>/dev/null | cut -f1)
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _toolwright toolwright
`;
}

function caseOf({ path, deeds, options, hasIds }: Place): string {
  const isAlone = deeds.length > 0 || path.includes(" ");
  const pattern = isAlone ? `'${path}'` : `${path} | '${path} '*`;
  const words = deeds.length === 0 ? "" : `words='${deeds.map(({ word }) => word).join(" ")}' `;
  const line = `      ${pattern}) ${words}options='${options.join(" ")}'${hasIds ? " ids=1" : ""} ;;`;
  // The deeds of other commands have the options of the command.
  return deeds.length === 0 || path === "task" ? line : `${line}\n      '${path} '*) options='${options.join(" ")}' ;;`;
}

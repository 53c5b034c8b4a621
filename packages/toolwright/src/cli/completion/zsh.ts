import { commands, type Offer, optionValues, type Place, places } from "./grammar.js";

/** What zsh needs to complete the command line. */
export function writeZsh(): string {
  const values = optionValues().map(({ option, among }) =>
    among === undefined ? `      ${option}) ids=1 ;;` : `      ${option}) compadd -- ${among.join(" ")}; return ;;`,
  );
  return `#compdef toolwright
# Completion of toolwright for zsh: source <(toolwright completion zsh)
_toolwright() {
  local place=$words[2] ids='' database='' at
  local -a offers options
  if (( CURRENT == 2 )); then
    offers=(${offersOf(commands())})
    _describe -t commands command offers
    return
  fi
  (( CURRENT > 3 )) && place="$words[2] $words[3]"
  case $place in
${places().map(caseOf).join("\n")}
  esac
  if [[ $place == 'task '* ]]; then
    case $words[CURRENT-1] in
${values.join("\n")}
    esac
  fi
  if [[ $PREFIX == -* ]]; then
    compadd -- $options
  elif [[ -n $ids ]]; then
    for (( at = 4; at < CURRENT; at++ )); do
      [[ $words[at] == --database ]] && database=$words[at+1]
    done
    offers=("\${(@f)$($words[1] task complete-ids "$PREFIX" \${database:+$database} 2>/dev/null | tr '\\t' ':')}")
    [[ -n $offers[1] ]] && _describe -V -t tasks task offers
  elif (( $#offers )); then
    _describe -t deeds deed offers
  else
    _files
  fi
}
(( $+functions[compdef] )) && compdef _toolwright toolwright
`;
}

function caseOf({ path, deeds, options, hasIds }: Place): string {
  const isAlone = deeds.length > 0 || path.includes(" ");
  const pattern = isAlone ? `'${path}'` : `${path}|'${path} '*`;
  const line = `    ${pattern}) offers=(${offersOf(deeds)}) options=(${options.join(" ")})${hasIds ? " ids=1" : ""} ;;`;
  return deeds.length === 0 || path === "task" ? line : `${line}\n    '${path} '*) options=(${options.join(" ")}) ;;`;
}

const offersOf = (offers: readonly Offer[]): string =>
  offers.map(({ word, about }) => `'${word}:${about.replaceAll("'", "'\\''")}'`).join(" ");

import type { Commands } from "../command.js";
import { commands, hasGrammar, type Offer, type OptionValue, optionValues, type Place, places } from "./grammar.js";

/** What zsh needs to complete the command line. */
export async function writeZsh(all: Commands): Promise<string> {
  const valueOf = ({ option, among, offered }: OptionValue): string =>
    `      ${option}) ${among === undefined ? `offered=(${offered})` : `compadd -- ${among.join(" ")}; return`} ;;`;
  return `#compdef toolwright
# Completion of toolwright for zsh: source <(toolwright completion zsh)
_toolwright() {
  local place=$words[2] database='' at
  local -a offers options offered
  if (( CURRENT == 2 )); then
    offers=(${offersOf(commands(all))})
    _describe -t commands command offers
    return
  fi
  (( CURRENT > 3 )) && place="$words[2] $words[3]"
  case $place in
${(await places(all)).map(caseOf).join("\n")}
  esac
${optionValues()
  .map(
    ([command, values]) => `  if [[ $place == '${command} '* ]]; then
    case $words[CURRENT-1] in
${values.map(valueOf).join("\n")}
    esac
  fi`,
  )
  .join("\n")}
  if [[ $PREFIX == -* ]]; then
    compadd -- $options
  elif (( $#offered )); then
    for (( at = 4; at < CURRENT; at++ )); do
      [[ $words[at] == --database ]] && database=$words[at+1]
    done
    offers=("\${(@f)$($words[1] $offered "$PREFIX" \${database:+$database} 2>/dev/null | tr '\\t' ':')}")
    [[ -n $offers[1] ]] && _describe -V -t offers offer offers
  elif (( $#offers )); then
    _describe -t deeds deed offers
  else
    _files
  fi
}
(( $+functions[compdef] )) && compdef _toolwright toolwright
`;
}

function caseOf({ path, deeds, options, offered }: Place): string {
  const isAlone = deeds.length > 0 || path.includes(" ");
  const pattern = isAlone ? `'${path}'` : `${path}|'${path} '*`;
  const line = `    ${pattern}) offers=(${offersOf(deeds)}) options=(${options.join(" ")})${offered === undefined ? "" : ` offered=(${offered})`} ;;`;
  return deeds.length === 0 || hasGrammar(path) ? line : `${line}\n    '${path} '*) options=(${options.join(" ")}) ;;`;
}

const offersOf = (offers: readonly Offer[]): string =>
  offers.map(({ word, about }) => `'${word}:${about.replaceAll("'", "'\\''")}'`).join(" ");

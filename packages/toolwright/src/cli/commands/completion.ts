import { completeCommandLine, defineCommand, print } from "@toolwright/kit/cli";
import { say } from "@toolwright/kit/terminal";

// The shells ask the program for completions, so the scripts know nothing of its commands. `:file` and `:folder` ask for paths.
const SCRIPTS = {
  bash: String.raw`# Completion of toolwright for bash: source <(toolwright completion bash)
_toolwright() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file) compopt -o default 2>/dev/null ;;
      :folder) compopt -o dirnames 2>/dev/null ;;
      *) COMPREPLY+=("${"$"}{line%%$'\t'*}") ;;
    esac
  done < <("$1" complete-words -- "${"$"}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _toolwright toolwright
`,
  zsh: String.raw`#compdef toolwright
# Completion of toolwright for zsh: source <(toolwright completion zsh)
_toolwright() {
  local line paths=''
  local -a values
  for line in "${"$"}{(@f)$($words[1] complete-words -- "${"$"}{(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :file|:folder) paths=$line ;;
      *) values+=("${"$"}{${"$"}{line%%$'\t'*}//:/\\:}:${"$"}{line#*$'\t'}") ;;
    esac
  done
  (( $#values )) && _describe -V -t values value values
  [[ $paths == :file ]] && _files
  [[ $paths == :folder ]] && _files -/
}
(( $+functions[compdef] )) && compdef _toolwright toolwright
`,
  fish: `# Completion of toolwright for fish: toolwright completion fish > ~/.config/fish/completions/toolwright.fish
function __toolwright_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete-words -- $words[2..] 2>/dev/null)
        switch $line
            case ':file'
                __fish_complete_path (commandline -ct)
            case ':folder'
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c toolwright -f -a '(__toolwright_complete)'
`,
} as const;

/** `toolwright completion`. */
export const completion = defineCommand({
  name: "completion",
  summary: "Print a script that completes commands, options and ids in a shell",
  group: "itself",
  args: { shell: { required: true, choices: ["bash", "zsh", "fish"], description: "The shell." } },
  examples: [
    "echo 'source <(toolwright completion bash)' >> ~/.bashrc",
    "echo 'source <(toolwright completion zsh)' >> ~/.zshrc",
    "toolwright completion fish > ~/.config/fish/completions/toolwright.fish",
  ],
  run: ({ shell }) => print(SCRIPTS[shell]),
});

/** `toolwright complete-words`, which the scripts call with the words after the program's name. */
export const completeWords = defineCommand({
  name: "complete-words",
  summary: "List the completions of a command line",
  hidden: true,
  trailing: { name: "WORDS...", description: "The words after the program's name." },
  async run({ trailing = [] }, ctx) {
    const { values, paths } = await completeCommandLine(await ctx.loadCommands(), trailing, async ({ name }) => {
      const [{ locateCommand }, { createPackContext }] = await Promise.all([
        import("../command-table.js"),
        import("../pack-context.js"),
      ]);
      return createPackContext((await locateCommand(name))?.pack, ctx.version, { isQuiet: true });
    });
    const lines = values.map(({ value, description = "" }) => `${value}\t${description.replaceAll(/\s+/g, " ")}`);
    if (paths !== undefined) lines.push(`:${paths}`);
    if (lines.length > 0) await say(lines.join("\n"));
  },
});

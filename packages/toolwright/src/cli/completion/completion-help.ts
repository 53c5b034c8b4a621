/** What `toolwright completion --help` prints. */
export const COMPLETION_HELP = `toolwright completion: lets a shell complete commands, options and the ids of tasks

Usage
  toolwright completion bash   print what bash needs
  toolwright completion zsh    print what zsh needs
  toolwright completion fish   print what fish needs

Examples
  echo 'source <(toolwright completion bash)' >> ~/.bashrc
  echo 'source <(toolwright completion zsh)' >> ~/.zshrc
  toolwright completion fish > ~/.config/fish/completions/toolwright.fish
`;

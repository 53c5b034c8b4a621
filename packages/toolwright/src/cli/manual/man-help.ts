/** What `toolwright man --help` prints. */
export const MAN_HELP = `toolwright man: prints the manual page

Usage
  toolwright man

It has the help of every command. Where the package is installed for all, "man toolwright" shows it.

Examples
  toolwright man | man -l -
  toolwright man > ~/.local/share/man/man1/toolwright.1
`;

/** What `toolwright template --help` prints. */
export const TEMPLATE_HELP = `toolwright template: standard files of projects, made from parameters

Usage
  toolwright template list                              list the templates
  toolwright template search WORDS                      find templates, the most relevant first
  toolwright template show TEMPLATE                     say what one makes, and its parameters
  toolwright template generate TEMPLATE [NAME=VALUE …]  print the file that it makes
  toolwright template validate TEMPLATE [NAME=VALUE …]  say all that is wrong with parameters

TEMPLATE is category/toolchain/variant, such as makefile/rust/cli, or its URI. Lists are values with
commas between, or JSON. On a terminal generate asks for what is required; else that is an error.

Options
  --toolchain NAME       list, search: only those of a toolchain
  --category NAME        list: only those of a category
  --variant NAME         list: only those of a variant
  --parameters JSON      generate, validate: parameters in JSON; NAME=VALUE beside it wins
  --text                 show: print the text of the template itself
  --directory DIR        templates of your own; else packs.templates.directory of the configuration
  --json                 print JSON
  --help                 print this help

Exit codes
  0  done
  1  the parameters will not do, or nothing was found
  2  the command line is wrong, or there is no such template

Examples
  toolwright template list --toolchain rust
  toolwright template search docker
  toolwright template show makefile/rust/cli
  toolwright template generate makefile/rust/cli project_name=demo > Makefile
  toolwright template validate readme/rust/cli project_name=demo --json
`;

/** What `toolwright new --help` prints. */
export const NEW_HELP = `toolwright new: makes a project from templates, and updates it later

Usage
  toolwright new server FOLDER [NAME=VALUE …]      an MCP server in TypeScript, with tests that pass
  toolwright new pack FOLDER [NAME=VALUE …]        a pack of tools for "toolwright serve --pack"
  toolwright new TOOLCHAIN FOLDER [NAME=VALUE …]   write the files of a project into a folder
  toolwright new --update FOLDER [NAME=VALUE …]    merge newer templates, or other parameters, into it

On a terminal it asks for what is missing, and before it writes; else it asks nothing. What is in the
way is never replaced unless you say so. .toolwright-answers.json in the folder says how it was made;
an update merges by it, keeps your changes, and marks conflicts.

Options
  --variant NAME         cli (usual), lib or service
  --templates LIST       only these categories or URIs; makefile/lib is one of a certain variant
  --without LIST         all but these categories
  --parameters JSON      parameters in JSON; NAME=VALUE beside it wins
  --on-conflict WAY      fail (usual), skip or overwrite, where other files are in the way
  --dry-run              print what would change, as a diff
  --yes                  do not ask before writing
  --directory DIR        templates of your own; else packs.templates.directory of the configuration
  --help                 print this help

Exit codes
  0  done
  1  something could not be made; the rest was
  2  the command line is wrong, or there is no such template or toolchain
  130  interrupted (Ctrl-C)

Examples
  toolwright new server my-server description="Tells the weather."
  toolwright new rust demo author="Ada Lovelace"
  toolwright new go tool author="Ada Lovelace" --variant service --without dockerfile,precommit
  toolwright new python-uv . --templates makefile,gitignore --on-conflict skip
  toolwright new node-ts demo author="Ada Lovelace" --dry-run | less
  toolwright new --update demo license=Apache-2.0
`;

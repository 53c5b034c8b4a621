/** What `toolwright task --help` prints. */
export const TASK_HELP = `toolwright task: tasks that people and agents share

Usage
  toolwright task add TEXT            make a task; "add -" makes one of each line of stdin
  toolwright task list                list what is open
  toolwright task next                show what to do now: the most urgent task that is ready
  toolwright task show ID             show all that is known of a task
  toolwright task start ID            say that somebody works on it
  toolwright task done ID             complete it
  toolwright task fail ID             give it up
  toolwright task edit ID             change its text, priority, parent, …
  toolwright task block ID ID         make the first task wait for the second
  toolwright task unblock ID ID       let it wait no longer
  toolwright task claim [ID]          take a task, or the next one, so that nobody else does
  toolwright task release ID          give it back
  toolwright task check ID            look whether its done-condition holds; if so, complete it
  toolwright task tree [ID]           show tasks with those below them
  toolwright task search WORDS        find tasks by their words
  toolwright task history [ID]        show what has happened
  toolwright task undo                take back the last thing you did
  toolwright task rm ID               delete a task; asks first
  toolwright task export [FILE]       write all tasks, a line of JSON each
  toolwright task import [FILE]       take in what an export has written

ID is the short id that is shown, a whole one, or as much of one as no other task has. Where ID
stands you can give several.

Options of all
  --database PLACE         a SQLite file, or postgres://user@host/name; else packs.todo.database of
                           the configuration, else a file in the folder for state
  --actor NAME             who does it; else packs.todo.actor, else the name of the user
  --json                   print JSON, with exact times and whole ids

Add and edit
  -p, --priority NUMBER    1 (most urgent) to 5; 3 if nothing is said
  --parent ID              it is a part of this one; edit: "none" takes it out
  --after ID               add: it waits for this one; can be repeated
  --context TEXT           what one has to know to do it
  --done-file FILE         it is done when this file exists
  --done-command COMMAND   it is done when this command passes; packs.todo.commands must allow it
  --description TEXT       edit: another text
  --status STATUS          edit: pending, in_progress, completed or failed
  --result TEXT            edit, done, fail: what came of it
  --reason TEXT            why; needed to open a task again that was closed

List, next, search, tree, history
  --status STATUS          list, search: only these
  --ready                  list: only what somebody could start now
  --all                    list: also what is closed
  --parent ID              list: only its children
  -n, --limit NUMBER       how many at most
  --depth NUMBER           tree: how many levels
  -q, --quiet              print whole ids alone; also add and claim

Others
  --lease TIME             claim: how long it is yours, such as 15m; claim again for more
  --cascade                rm: also all below it
  -y, --yes                rm: do not ask
  --by NAME, --anyone      undo: what somebody else did, or whoever was last
  --on-conflict WAY        import: newer (usual), replace or keep, where a task is there already
  --dry-run                import: say what would be done, and do nothing
  --help                   print this help

Exit codes
  0  done
  1  it could not be done; or check: it is not done yet
  2  the command line is wrong

Colours are for terminals, and never where NO_COLOR is set. "toolwright completion --help" says how
a shell completes all this, ids too.

Examples
  toolwright task add "Fix the parser" -p 1
  toolwright task add "Release it" --parent ab12 --after cd34
  toolwright task claim && toolwright task show ab12
  toolwright task done ab12 --result "Fixed in 4f2c9d1"
  toolwright task list --ready --quiet | head -3 | xargs toolwright task start
  toolwright task export tasks.jsonl && git add tasks.jsonl
`;

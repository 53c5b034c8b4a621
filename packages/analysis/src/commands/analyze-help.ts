/** What `toolwright analyze --help` prints. */
export const ANALYZE_HELP = `toolwright analyze: measures code, and says where work on it pays first

Usage
  toolwright analyze complexity [PATH]   how hard functions are to follow and to test
  toolwright analyze churn [PATH]        which files change often, together, and by whom
  toolwright analyze hotspots [PATH]     where complex code changes often, and what to do about it
  toolwright analyze gate [PATH]         one verdict with reasons, for continuous integration
  toolwright analyze satd [PATH]         what comments say is left to do
  toolwright analyze duplicates [PATH]   code that is there more than once
  toolwright analyze dag [PATH]          which file imports which, as a Mermaid diagram
  toolwright analyze context [PATH]      a compact map of the project for a model

PATH is a folder or a file; the current folder if nothing is said. What .gitignore leaves out, and
what is generated or vendored, is left out here too.

Options of all
  --include GLOB           only these files; can be repeated. Globs are relative to PATH. Churn has
                           neither this nor the next: give it a folder
  --exclude GLOB           not these files; can be repeated
  --format FORMAT          summary (usual), json or markdown; complexity has full and sarif too,
                           churn and hotspots csv; a context is markdown or json
  --json                   the same as --format json; with --format full every function, as JSON
  --output FILE            write it to a file, whole or not at all, and not to stdout
  --no-cache               read every file anew
  --quiet                  show no progress

Complexity
  --max-cyclomatic NUMBER  above it is an error (20), above three quarters of it a warning
  --max-cognitive NUMBER   the same (30)
  --explain                list every line that adds to a number, and why
  --top NUMBER             how many functions are shown
  --top-files NUMBER       rank so many files
  --toolchain NAME         only the languages of a toolchain, such as rust, deno or python-uv
  --baseline COMMIT        say which functions are worse than in a commit or branch
  --all                    also generated and vendored files
  --fail                   end with code 1 if there are errors; with --baseline, if any function is
                           worse than there, or an error is new

Churn
  --days NUMBER            the days that count; 30, hotspots and gate 90
  --top NUMBER             how many files are shown
  --exclude-author NAME    not the commits of a name or address; can be repeated
  --all-commits            also merges, bots, and commits that only format
  --no-renames             do not follow renames

Hotspots
  --days, --top            as above
  --functions NUMBER       how many functions get a refactoring brief
  --html FILE              a page with a map, charts and briefs; one file that asks no network

Gate
  --max-cyclomatic, --max-cognitive, --baseline, --days as above
  --max-duplication PERCENT     how much of the code may be there twice; 5
  --max-severe-notes NUMBER     how many grave to-do comments there may be; else not looked at
  --max-hotspot SCORE           the highest score of a hotspot; else not looked at

Satd and duplicates
  --kind KIND              design, defect, requirement, test, performance, security; can be repeated
  --severity SEVERITY      low, medium, high or critical: this and worse
  --min-lines NUMBER       the least lines of a copy; 5
  --min-tokens NUMBER      the least tokens of a copy; 50

Dag
  --level LEVEL            file or folder; auto (usual) takes folders where there are many files
  --focus FILE             one file: what it uses and who uses it
  --depth NUMBER           how many steps around it; 1
  --external               also packages from elsewhere
  --max-nodes NUMBER       how many files or folders are shown; 60
  --show-complexity        say how complex each file is
  --format mermaid         the diagram alone

Context
  --max-tokens NUMBER      how long the map may be; 4000

Exit codes
  0    done
  1    the gate has failed, or what --fail looks at
  2    the command line is wrong, or the analysis could not be made
  130  interrupted (Ctrl-C); no file is half written

Colours are for terminals, and never where NO_COLOR is set.

Examples
  toolwright analyze complexity src --explain
  toolwright analyze complexity --baseline main --fail
  toolwright analyze complexity --format sarif --output complexity.sarif
  toolwright analyze churn --days 90 --format csv > churn.csv
  toolwright analyze hotspots --html hotspots.html
  toolwright analyze gate --max-cognitive 25 --max-duplication 3
  toolwright analyze satd --severity high
`;

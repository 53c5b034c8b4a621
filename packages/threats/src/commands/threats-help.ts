/** What `toolwright threats --help` prints. */
export const THREATS_HELP = `toolwright threats: ways in which designs go wrong, asked before code is written

Usage
  toolwright threats list                  a line for each pattern
  toolwright threats get ID                a pattern whole: scenario, mitigations, code, checks
  toolwright threats query -c TEXT         which threats belong to a task, and how to do it right
  toolwright threats validate [ID|FILE …]  what is wrong with patterns, and whether their queries pass
  toolwright threats review [PATH …]       which checks are not visible in what has changed, or in files
  toolwright threats coverage [PATH]       which families of threats a project touches

Options of all
  -p, --patterns DIR       a folder with patterns of your own, beside the built-in ones; can be repeated
  -f, --format FORMAT      text (usual) or json; review has sarif too
  -v, --verbose            more of it: list in blocks, query in full, review with every place

List and query
  --category FAMILY        only this family: authz, tenant, async, authn, logic, input, files, outbound,
                           crypto, fail, supply, config, privacy, browser, agent
  -l, --language LANGUAGE  list: those with code in it; query: code in it, or the nearest
  --framework FRAMEWORK    the same of a framework
  --severity SEVERITY      list: critical, high, medium or low
  --tier TIER              list: A (told in full) or B (in short)
  -c, --context TEXT       query: the task, in words or code
  --files PATH             query: a path that the task touches; can be repeated
  -n, --limit NUMBER       query: how many patterns; 3 if nothing is said, 10 with --verbose

Validate
  --all                    all of --patterns, or the built-in ones where there is no such folder

Review and coverage
  Without PATH, review hint at the difference between the working tree and the last commit; new files
  that git does not know yet are no part of it ("git add -N" makes them one).
  --base COMMIT            review: what has changed since this branch was left, for pull requests
  --diff FILE              review: a unified difference; - reads it from stdin
  --fail-on SEVERITY       review: end with code 1 where something as bad was found. What has low
                           confidence (the check may be elsewhere) does not count
  --severity SEVERITY      review: only this and worse
  --category, --language   review: only these
  -n, --limit NUMBER       review: how many places are shown, 30; coverage: how many files are read, 5000
  -q, --quiet              show no progress

Exit codes
  0  done
  1  validate: there are errors; review: --fail-on has found something
  2  the command line is wrong, or it could not be done

Colours are for terminals, and never where NO_COLOR is set.

Examples
  toolwright threats query -c "a webhook that marks orders paid" -l typescript
  toolwright threats query "export job per tenant" --files app/jobs/export.py -f json
  toolwright threats get TMKB-AUTHZ-001
  toolwright threats list --category agent -v
  toolwright threats review
  toolwright threats review src/api --severity high
  toolwright threats review --base origin/main --fail-on high -f sarif > threats.sarif
  git diff main... | toolwright threats review --diff -
  toolwright threats validate -p threat-patterns --all
`;

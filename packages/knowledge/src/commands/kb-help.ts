/** What `toolwright kb --help` prints. */
export const KB_HELP = `toolwright kb: documents that people and agents search, cite and get answers from

Usage
  toolwright kb ingest PATH …         take in files and folders: Markdown, HTML, PDF, DOCX, code, …
  toolwright kb search WORDS          find passages by words and by meaning
  toolwright kb answer QUESTION       answer in sentences of the documents, each with its source
  toolwright kb get DOCUMENT          print a document, by its path or its id, or lines of it
  toolwright kb cite PASSAGE …        say where passages are from, and whether that is still so
  toolwright kb list                  list the collections
  toolwright kb stats [NAME]          show the numbers of a collection, or of all
  toolwright kb create NAME           make a collection that has nothing in it yet
  toolwright kb versions NAME         list the versions of a collection
  toolwright kb promote NAME [N]      let a version answer: this one, else the newest that is ready
  toolwright kb rollback NAME [N]     let the version before answer again, or this older one
  toolwright kb pin NAME [N]          keep a version answering, whatever is promoted
  toolwright kb unpin NAME            let go of it
  toolwright kb evaluate NAME         measure a version by questions whose answers are known
  toolwright kb export NAME FILE      write a collection into one file
  toolwright kb import FILE           take in what an export has written
  toolwright kb tool WORD NAME        register, activate, deactivate, forget a tool that asks one
                                      collection; "tool list" has all of them
  toolwright kb model install         fetch a small language model, which finds more by meaning
  toolwright kb delete NAME           delete a collection; asks first

Options of all
  --database PLACE         a SQLite file, or postgres://user@host/name; else the one that
                           packs.knowledge.database names, else a file in the folder for state
  --json                   print JSON
  -q, --quiet              no progress, and ids or names alone

Ingest
  -c, --collection NAME    where to; else the folder's name. It is made where it is not there
  --metadata NAME=VALUE    what every document gets, beside what it says of itself; can be repeated
  --keep-missing           documents whose file is gone stay
  --no-promote             build the version, and let the one before go on answering
  --no-embed               no vectors: words alone find passages
  --force                  read every document again, though nothing has changed
  --dry-run                say what would change, and write nothing
  --chunk-size TOKENS      how long a passage may be; 512. Also create
  --chunk-overlap TOKENS   what neighbouring passages share; 50. Also create
  --description TEXT       create, tool register: what is in it, what it is for

Search and answer
  -c, --collection NAME    where; else everywhere. Can be repeated. Also get
  --version NUMBER         in this version; else in the one that answers. Also get, stats, evaluate
  -n, --limit NUMBER       how many passages; 5. answer: how many are read
  --type KIND              only documents of a kind, such as markdown or pdf; can be repeated
  --passages KIND          only text, code, table, header or list; can be repeated
  --since DAY, --until DAY only what was changed then
  --metadata NAME=VALUE    only documents that say this of themselves
  --min-score NUMBER       only what scores so much
  --mode MODE              search: hybrid, words or vector
  --fusion WAY             search: how both become one score: weights or rrf
  --no-expand              search: only the words that were given, none of the best passages
  --explain                search: show every partial score

Others
  --lines FIRST-LAST       get: only these lines
  --outline                get: the passages, with their ids, in place of the text
  --format FORMAT          cite: json, apa, mla, chicago, ieee, harvard, bibtex or ris
  --questions FILE         evaluate: the questions, as JSON; else those that are kept
  --save                   evaluate: keep them; promotions are measured by them from then on
  --no-vectors             export: leave the vectors out
  --name NAME              import: what the collection is called here
  --operation WAY          tool register: search or answer
  --defaults JSON          tool register: arguments that it has where a call says nothing else
  -y, --yes                delete: do not ask
  --help                   print this help

Queries
  plain words              whatever has some of them, or means the same
  "whole phrase"           only what has it
  AND, OR, NOT, ( )        only what fulfils it; +word must be there, -word must not

Exit codes
  0  done
  1  it could not be done; ingest: a document failed, or the version may not answer;
     answer: there is none; evaluate: not passed
  2  the command line is wrong
  130, 143  it was interrupted; the same ingest goes on from there

Colours are for terminals, and never where NO_COLOR is set. "toolwright completion --help" says how
a shell completes all this, names of collections too.

Examples
  toolwright kb ingest docs
  toolwright kb search "session timeout" --explain
  toolwright kb search '"rate limit" AND NOT proxy' -c docs --type markdown
  toolwright kb answer "How do I roll a version back?"
  toolwright kb cite chk_0a1b2c3d4e5f60718293a4b5 --format bibtex
  toolwright kb evaluate docs --questions golden.json --save
  toolwright kb export docs docs.kbpack && toolwright kb import docs.kbpack --name docs-copy
`;

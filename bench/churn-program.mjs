// Reads a history with the pack analysis in a fresh process, and says in JSON how many commits count and what memory it took.
// argv: the folder of the built pack, the repository, a folder for the pack's state.
import { openBuiltPack } from "./pack-calls.mjs";

const [built = "", root = "", stateFolder = ""] = process.argv.slice(2);
const ask = await openBuiltPack({ built, stateFolder, roots: [root] });

const { result, error } = await ask("tools/call", { name: "analyze_code_churn", arguments: { period_days: 3650 } });
if (error !== undefined || result.isError) throw new Error(error?.message ?? result.content[0].text);
const { summary } = result.structuredContent;
const peak = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ commits: summary.total_commits, files: summary.total_files_changed, peak }));
process.exit(0);

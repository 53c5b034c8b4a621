/** What is said where no file could be looked at, for that is no good news. `narrowing` are the arguments that may be at fault. */
export const nothingFound = (skipped: number, narrowing = "project_path, include and exclude"): string =>
  skipped > 0
    ? "No source file could be read: look at what was skipped."
    : `No source file was found that fits: look at ${narrowing}.`;

/** The folder in which the process was started, or `.` if that folder has been removed. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return ".";
  }
}

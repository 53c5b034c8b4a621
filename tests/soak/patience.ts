/** How long an answer, or the end of a process, may take before it counts as lost. */
export const PATIENCE_MS = 20_000;

/** What comes of it, or "late" where nothing comes in time. */
export async function inTime<Value>(work: Promise<Value>, ms = PATIENCE_MS): Promise<Value | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long a response, or the end of a process, may take before it counts as lost. */
export const TIMEOUT_MS = 20_000;

/** The result of `work`, or "timeout" if it takes too long. */
export async function withTimeout<Value>(work: Promise<Value>, ms = TIMEOUT_MS): Promise<Value | "timeout"> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<"timeout">((resolve) => {
    timer = setTimeout(() => resolve("timeout"), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

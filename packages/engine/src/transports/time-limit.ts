/** Waits for a deed, but no longer than so many milliseconds; keeps the process alive meanwhile. */
export async function within(ms: number, deed: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([deed(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

const LOOK_MS = 1000;

/**
 * Hears when the process that has started this one is gone, for pipes that somebody else holds open. Whoever starts a server and
 * goes at once is no client: only who is there at the first look is watched. The first process of a machine or container is
 * nobody's parent.
 */
export function watchParent(gone: () => void): void {
  let parent: number | undefined;
  const looking = setInterval(() => {
    parent ??= process.ppid;
    if (parent > 1 && isThere(parent)) return;
    clearInterval(looking);
    if (parent > 1) gone();
  }, LOOK_MS);
  looking.unref();
}

function isThere(parent: number): boolean {
  // Elsewhere an orphan gets another parent, which cannot be mistaken.
  if (process.platform !== "win32") return process.ppid === parent;
  try {
    return process.kill(parent, 0);
  } catch {
    return false;
  }
}

const waiting = new Set<() => void>();

/** Sends an answer in so many milliseconds, or when the process is about to end. */
export function sendLater(send: () => void, ms: number): void {
  const deed = (): void => {
    waiting.delete(deed);
    clearTimeout(timer);
    send();
  };
  const timer = setTimeout(deed, ms);
  waiting.add(deed);
}

/** Sends the answers that wait. */
export function sendAllNow(): void {
  for (const deed of waiting) deed();
}

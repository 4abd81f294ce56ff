/**
 * Waits before something is asked again: so long, and then until the page is visible. A page that is shown again waits
 * no longer, as what it shows may be old. A hidden page asks nothing.
 *
 * @param over ends the wait
 */
export function nextLook(ms: number, over?: AbortSignal): Promise<void> {
  if (over?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      over?.removeEventListener('abort', end);
      resolve();
    };
    const look = () => {
      if (document.visibilityState === 'visible') end();
    };
    const timer = setTimeout(look, ms);
    document.addEventListener('visibilitychange', look);
    over?.addEventListener('abort', end);
  });
}

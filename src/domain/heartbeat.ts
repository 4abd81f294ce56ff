/** Processes say every second or two that they are at work; one that has not for so long is not counted on. */
const SILENT_MS = 15_000;

/** True while a process may be taken to be at work, by when it said so last (epoch ms). */
export function isHeard({ seenAt }: { seenAt: number }, now: number): boolean {
  return seenAt > now - SILENT_MS;
}

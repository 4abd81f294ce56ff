/** Processes write a heartbeat every second or two; a process without one for this long counts as gone. */
const SILENT_MS = 15_000;

/** True while a process counts as alive, by its last heartbeat (epoch ms). */
export function isHeard({ seenAt }: { seenAt: number }, now: number): boolean {
  return seenAt > now - SILENT_MS;
}

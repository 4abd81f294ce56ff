/** One of `of` parts of the work, from 0: processes that take different parts do nothing twice. */
export interface Share {
  index: number;
  of: number;
}

/** The share of a process that works alone. */
export const ALL: Share = { index: 0, of: 1 };

/** A process whose heartbeat, written every 2 s, was not seen to change for this long has no share, ms. */
export const SILENT_MS = 8_000;

/** Work that is late by this, ms, is done by every process: the one whose share it is may hang, or lack a key. */
export const TAKEN_OVER_MS = 5_000;

interface Heartbeat {
  host: string;
  boot: string;
  pid: number;
  seenAt: number;
}

/** The rank of a process among those that live, itself included. All that see the same ones give each another rank. */
export function shareAmong(self: string, others: readonly string[]): Share {
  const ranked = [...new Set([self, ...others])].sort();
  return { index: ranked.indexOf(self), of: ranked.length };
}

/**
 * The share of process `self` in its work, by the heartbeats of all that do the same. No clocks are compared, as those
 * of machines differ: a process lives while its heartbeat was seen to change, by the monotonic clock of `self`.
 */
export function shareOfWork(self: Omit<Heartbeat, 'seenAt'>) {
  let changes = new Map<string, { seenAt: number; at: number }>();
  let share = ALL;
  return {
    get share(): Share {
      return share;
    },

    /** @param at on the monotonic clock of `self`, ms */
    heard: (beats: readonly Heartbeat[], at: number): void => {
      const before = changes;
      changes = new Map();
      for (const beat of beats) {
        const known = before.get(nameOf(beat));
        changes.set(nameOf(beat), known?.seenAt === beat.seenAt ? known : { ...beat, at });
      }
      const live = [...changes].filter(([, changed]) => at - changed.at < SILENT_MS);
      share = shareAmong(
        nameOf(self),
        live.map(([name]) => name),
      );
    },
  };
}

function nameOf({ host, boot, pid }: Omit<Heartbeat, 'seenAt'>): string {
  return [host, boot, pid].join(' ');
}

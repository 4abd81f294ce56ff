import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALL,
  shareAmong,
  shareOfWork,
  SILENT_MS,
  type Share,
} from '../../../src/domain/polling/shares.ts';

const someProcesses = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 12 });
const has = ({ index, of }: Share, seq: number) => seq % of === index;
const beat = (pid: number, seenAt: number) => ({ host: `h${pid % 3}`, boot: 'b', pid, seenAt });

describe('the shares of processes', () => {
  it('give every call to exactly one of any live processes, and are even', () => {
    fc.assert(
      fc.property(someProcesses, fc.nat(), (live, seq) => {
        const shares = live.map((self) => shareAmong(self, live.toReversed()));
        expect(shares.filter((share) => has(share, seq))).toHaveLength(1);
        expect(shares.every(({ of }) => of === live.length)).toBe(true);
      }),
    );
  });

  it('are all of it for one process alone, whether its own heartbeat is told or not', () => {
    expect(shareAmong('a', [])).toEqual(ALL);
    expect(shareAmong('a', ['a'])).toEqual(ALL);
    expect(shareOfWork(beat(1, 0)).share).toEqual(ALL);
  });

  it('leave no call to nobody for longer than 15 s after somebody came, left or was killed, whatever the clocks', () => {
    const WITHIN_MS = 15_000;
    const STEP_MS = 500;
    const process = fc.record({
      from: fc.integer({ min: 0, max: 60 }),
      steps: fc.integer({ min: 1, max: 80 }),
      leaves: fc.boolean(),
      clockMs: fc.integer({ min: -1e9, max: 1e9 }),
      monotonicMs: fc.nat(1e9),
      phase: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(process, { maxLength: 5 }), fc.nat(59), (others, seq) => {
        // The first one lives for ever: somebody is there.
        const forever = {
          from: 0,
          steps: 1e9,
          leaves: false,
          clockMs: 0,
          monotonicMs: 0,
          phase: 0,
        };
        const all = [forever, ...others].map((life, pid) => ({
          ...life,
          pid,
          work: shareOfWork(beat(pid, 0)),
        }));
        const rows = new Map<number, ReturnType<typeof beat>>();
        // When the call was taken last, or somebody came or ended.
        let lastMs = 0;
        for (let step = 0; step < 150; step++) {
          const now = step * STEP_MS;
          let isTaken = false;
          for (const { pid, from, steps, leaves, clockMs, monotonicMs, phase, work } of all) {
            const isLive = step >= from && step < from + steps;
            if (!isLive && leaves) rows.delete(pid);
            // Every two seconds, and when it begins.
            if (isLive && (step === from || step % 4 === phase)) {
              rows.set(pid, beat(pid, now + clockMs));
              const seen = [...rows.values()];
              work.heard(seen.length === 1 ? [] : seen, now + monotonicMs);
            }
            isTaken ||= isLive && has(work.share, seq);
          }
          const isNews = all.some(({ from, steps }) => step === from || step === from + steps);
          if (isTaken || isNews) lastMs = now;
          expect(now - lastMs).toBeLessThanOrEqual(WITHIN_MS);
        }
      }),
    );
  });

  it('count a process while its heartbeat changes, and no longer than 8 s after', () => {
    const work = shareOfWork(beat(1, 0));
    const [mine, other] = [beat(1, 5), beat(2, 900_000)];
    work.heard([mine, other], 1_000);
    expect(work.share).toEqual({ index: 0, of: 2 });
    work.heard([mine, { ...other, seenAt: 800_000 }], 3_000);
    work.heard([mine, { ...other, seenAt: 800_000 }], 3_000 + SILENT_MS - 1);
    expect(work.share.of).toBe(2);
    work.heard([mine, { ...other, seenAt: 800_000 }], 3_000 + SILENT_MS);
    expect(work.share).toEqual(ALL);
    work.heard([mine, { ...other, seenAt: 800_001 }], 20_000);
    expect(work.share.of).toBe(2);
    work.heard([], 21_000);
    expect(work.share).toEqual(ALL);
  });
});

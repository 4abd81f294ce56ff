import { Cron } from 'croner';
import { describe, expect, it } from 'vitest';
import { pastTime, timeToday } from '../../src/cli/args/moments.ts';
import { dayIn } from '../../src/text/wall-clock.ts';
import { zonedTime } from '../../src/text/times.ts';
import { transitions } from '../helpers/transitions.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ALL = transitions(Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1));
const SKIPS = ALL.filter(({ before, after }) => after > before);
const REPEATS = ALL.filter(({ before, after }) => after < before);

/** What the clocks show, `2026-03-08T02:30`, with so much ahead of UTC. */
const shown = (at: number, offset: number) => new Date(at + offset).toISOString().slice(0, 16);
const isMidnight = (at: number, offset: number) => shown(at, offset).endsWith('T00:00');
/** With its day, or by the time alone where that is of today. */
const until = (at: number, offset: number, now: number, zone: string) => {
  const text = shown(at, offset);
  const isToday = text.slice(0, 10) === dayIn(zone, now);
  return timeToday('--until', isToday ? text.slice(11) : text.replace('T', ' '), now, zone);
};

/** What is not as it should be: thousands of moments are looked at, and an `expect` for each would take longer. */
const wrong: object[] = [];
const isAt = (expected: number, zone: string, found: number | undefined) => {
  if (found !== expected) wrong.push({ zone, expected, found });
};
const expectNone = () => {
  expect(wrong.splice(0)).toEqual([]);
};

describe('where clocks change, in every zone for two years', () => {
  it('there are such changes on both sides of the earth, at midnight, and by half an hour', () => {
    const zones = new Set(ALL.map(({ zone }) => zone));
    for (const zone of ['Africa/Cairo', 'America/Santiago', 'America/Havana', 'America/New_York'])
      expect(zones).toContain(zone);
    expect(zones).toContain('Australia/Lord_Howe');
    expect(zones.size).toBeGreaterThan(100);
  });

  it('--until at a time that they skip ends when they do', () => {
    for (const { zone, at, before, after } of SKIPS) {
      for (const into of [0, (after - before) / 2, after - before - MINUTE_MS]) {
        for (const earlier of [1, 20 * HOUR_MS])
          isAt(at, zone, until(at + into, before, at - earlier, zone));
      }
    }
    expectNone();
  });

  it('--until at a time that they show twice ends at the first, and between the two at the second', () => {
    for (const { zone, at, before, after } of REPEATS) {
      const first = at - (before - after) / 2;
      const second = first + before - after;
      isAt(first, zone, until(first, before, at - 20 * HOUR_MS, zone));
      isAt(first, zone, until(first, before, first, zone));
      isAt(second, zone, until(first, before, first + 1, zone));
    }
    expectNone();
  });

  it('--until at any other time is when the clocks show it on that day', () => {
    for (const { zone, at, before, after } of ALL) {
      const now = at - 2 * HOUR_MS - 1;
      const soon = at - HOUR_MS - Math.abs(after - before);
      if (soon > now) isAt(soon, zone, until(soon, before, now, zone));
      const later = at + 2 * HOUR_MS + Math.abs(after - before);
      isAt(later, zone, until(later, after, now, zone));
      isAt(later, zone, until(later, after, at, zone));
    }
    expectNone();
  });

  it('--since leaves nothing out: it begins at the first of two, and where a time is skipped when it is', () => {
    for (const { zone, at, before, after } of ALL) {
      const now = at + 30 * HOUR_MS;
      const middle = at + (after - before) / 2;
      const expected = after > before ? at : middle;
      isAt(expected, zone, pastTime('--since', shown(middle, before), now, zone));
      const local = shown(at + 3 * HOUR_MS, after);
      isAt(at + 3 * HOUR_MS, zone, pastTime('--since', local, now, zone));
    }
    expectNone();
  });

  it('a schedule comes once, when a time is skipped at the skip, of two at the first', () => {
    for (const { zone, at, before, after } of ALL) {
      const middle = at + (after - before) / 2;
      const [hour, minute] = shown(middle, before).slice(11).split(':');
      const cron = new Cron(`${minute ?? ''} ${hour ?? ''} * * *`, {
        timezone: zone,
        paused: true,
      });
      const runs = cron.nextRuns(2, new Date(at - 12 * HOUR_MS)).map((run) => run.getTime());
      const expected = after > before ? at : middle;
      if (after > before && isMidnight(at, after)) {
        // Greenland skips the last hour of a day: what is planned in it comes the next day again.
        expect(['America/Godthab', 'America/Nuuk', 'America/Scoresbysund']).toContain(zone);
        continue;
      }
      isAt(expected, zone, runs[0]);
      if ((runs[1] ?? 0) <= at + 20 * HOUR_MS) wrong.push({ zone, runs });
    }
    expectNone();
  });

  it('times in results are those moments, with the offset of their side', () => {
    for (const { zone, at, after } of ALL) {
      const toText = zonedTime(zone);
      for (const near of [at - 1_000, at, at + 1_000]) isAt(near, zone, Date.parse(toText(near)));
      if (toText(at).slice(0, 16) !== shown(at, after)) wrong.push({ zone, text: toText(at) });
    }
    expectNone();
  });
});

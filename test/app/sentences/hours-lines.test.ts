import { describe, expect, it } from 'vitest';
import { callingAhead } from '../../../src/app/plan/planned-hours.ts';
import {
  beginsView,
  midnightLines,
  openingLines,
  openingText,
  policyLines,
  waitingLines,
} from '../../../src/app/sentences/hours-lines.ts';
import type { Openings, Shut } from '../../../src/domain/calling/openings.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { aPolicy, daily, LONDON } from '../../conformance/store/calling/policies.ts';
import { someSettings } from '../../helpers/factory.ts';

const IN_BERLIN = someSettings({ timezone: 'Europe/Berlin' });
const next = (zoneKey: string, by: string | null = 'us-states') => ({
  at: Date.parse('2026-01-06T14:00:00Z'),
  zoneKey,
  by,
  why: 'outside',
});
const openings = (some: Partial<Openings>): Openings => {
  return { now: 0, later: 0, never: 0, next: null, shut: [], ...some };
};
const shut = (some: Partial<Shut>): Shut => {
  return { by: 'polite', why: 'no hour is left', people: 3, zones: [], ...some };
};

describe('the next opening', () => {
  it('has the weekday of the campaign and of the person, which may be two', () => {
    expect(openingText(next('America/New_York;US-NY'), IN_BERLIN)).toBe(
      'Tue 2026-01-06 15:00 Europe/Berlin, which is Tue 09:00 America/New_York (us-states)',
    );
    expect(openingText(next('Pacific/Auckland;NZ', null), IN_BERLIN)).toBe(
      'Tue 2026-01-06 15:00 Europe/Berlin, which is Wed 03:00 Pacific/Auckland',
    );
  });

  it('has both times of a person who may be in two zones', () => {
    expect(openingText(next('America/Chicago|America/New_York;US-IN'), IN_BERLIN)).toContain(
      ', which is Tue 08:00 America/Chicago and Tue 09:00 America/New_York (us-states)',
    );
  });

  it.each(['Europe/Berlin;DE', ';US', '+05:30;IN', 'Nowhere/Land;'])(
    'is in the time of the campaign alone where %s has no other clock',
    (zoneKey) => {
      expect(openingText(next(zoneKey), IN_BERLIN)).toBe(
        'Tue 2026-01-06 15:00 Europe/Berlin (us-states)',
      );
    },
  );
});

describe('people who are never called', () => {
  const linesOf = (some: Partial<Shut>) =>
    openingLines(openings({ never: 3, shut: [shut(some)] }), {
      name: "it's spring",
      settings: IN_BERLIN,
    });

  it('are one sentence with their number, up to three of their zones, and the remedy', () => {
    const zones = ['America/Denver', 'Asia/Tokyo', 'Asia/Seoul', 'Asia/Kolkata', 'Asia/Dubai'];
    const [line, ...others] = linesOf({ zones });
    expect(others).toEqual([]);
    expect(line).toContain(
      '3 people are never called: polite: no hour is left (in America/Denver, Asia/Tokyo, Asia/Seoul and 2 more).',
    );
    expect(line).toContain('Choose other `rules` or `hours`');
  });

  it('because their zone is not known hear the key once, and how to set it', () => {
    const [line = ''] = linesOf({ by: 'zones.unknown', why: 'the time zone is not known' });
    expect(line.match(/zones\.unknown(?!=)/g)).toHaveLength(1);
    expect(line.match(/--set zones\.unknown=/g)).toHaveLength(1);
  });

  it('because a column is blank hear the commands that change that, ready to be pasted', () => {
    const [line] = linesOf({ by: 'variables', why: 'City is blank' });
    expect(line).toContain("`callsheet import 'it'\\''s spring' LIST`");
    expect(line).toContain("`callsheet set 'it'\\''s spring' variables=none`");
  });

  it('because this machine does not know their zone are told so, and not to choose other rules', () => {
    const [line] = linesOf({ by: 'time zone', zones: ['Nowhere/Land'] });
    expect(line).toContain('(in Nowhere/Land). They wait until this machine knows it');
    expect(line).toContain('newer Node');
  });
});

describe('own hours over midnight', () => {
  const said = (hours: CampaignSettings['hours']) =>
    midnightLines(hours === undefined ? {} : { hours });

  it('are said with the day to which they belong', () => {
    expect(said({ from: '20:00', to: '09:00' })).toEqual([
      expect.stringContaining(
        "20:00-09:00 run over midnight: the window that opens Monday 20:00 ends Tuesday 09:00 and counts as Monday's",
      ),
    ]);
    const [sunday] = said({ from: '22:00', to: '06:00', days: ['sun'] });
    expect(sunday).toContain("opens Sunday 22:00 ends Monday 06:00 and counts as Sunday's");
    expect(policyLines({ ...IN_BERLIN, hours: { from: '20:00', to: '09:00' } }).join()).toContain(
      'run over midnight',
    );
  });

  it('need no words where they end on their day, at midnight too', () => {
    expect(said({ from: '09:00', to: '20:00' })).toEqual([]);
    expect(said({ from: '20:00', to: '24:00' })).toEqual([]);
    expect(said({ from: '20:00', to: '00:00' })).toEqual([]);
    expect(said(undefined)).toEqual([]);
  });
});

describe('those who wait', () => {
  it('add up: now, later and never', () => {
    expect(waitingLines(openings({ later: 7, never: 1 }))).toEqual([
      'Of 8 waiting: none may be called now, 7 later, 1 never.',
    ]);
    expect(waitingLines(openings({ now: 2, never: 1 }))).toEqual([
      'Of 3 waiting: 2 may be called now, 1 never.',
    ]);
  });

  it('need no words where all may be called now', () => {
    expect(waitingLines(openings({ now: 2 }))).toEqual([]);
  });
});

describe('what a start will do', () => {
  // A Monday.
  const at = (time: string, day = '2026-01-05') => Date.parse(`${day}T${time}:00Z`);
  const from9to20 = aPolicy({ hours: daily(9, 20) });
  const nightly = { schedule: '0 18 * * 1-5', stop: { at: '21:00' } };
  const PEOPLE = [{ zoneKey: LONDON, waiting: 3, firstNotBefore: 0 }];
  const said = (
    settings: Partial<CampaignSettings>,
    now: number,
    { isOn = false, hasCalled = false, since = -Infinity, people = PEOPLE } = {},
  ) => {
    const all = someSettings({ timezone: 'UTC', ...settings });
    const ahead = callingAhead(all, people, now, since);
    return ahead && beginsView(ahead, { now, timezone: 'UTC', hasCalled, isOn, isCalling: isOn });
  };

  it.each<[string, Partial<CampaignSettings>, number, Parameters<typeof said>[2], string, string]>([
    ['any time', {}, at('10:00'), {}, 'now', 'Calling starts now.'],
    [
      ...(['hours, open', { policy: from9to20 }, at('10:00'), {}, 'now'] as const),
      'Calling starts now, until 20:00, then tomorrow at 09:00.',
    ],
    [
      ...(['hours, called', { policy: from9to20 }, at('10:00'), { isOn: true }, 'now'] as const),
      'Calling now until 20:00, then tomorrow at 09:00.',
    ],
    [
      ...(['hours, early', { policy: from9to20 }, at('06:00'), {}, 'today at 09:00'] as const),
      'Calling starts today at 09:00, until 20:00, then tomorrow at 09:00.',
    ],
    [
      ...(['hours, closed', { policy: from9to20 }, at('20:30'), { hasCalled: true }] as const),
      'tomorrow at 09:00',
      'Calling goes on tomorrow at 09:00, until 20:00, then on Wednesday at 09:00.',
    ],
    [
      ...(['a schedule', nightly, at('10:00'), {}, 'tonight at 18:00'] as const),
      'Calling starts tonight at 18:00, until 21:00, then tomorrow at 18:00.',
    ],
    [
      ...(['every hour', { schedule: '0 * * * *' }, at('10:00'), { isOn: true }, 'now'] as const),
      'Calling now.',
    ],
    [
      ...([
        'one with many times',
        { ...nightly, schedule: '*/10 18-20 * * *' },
        at('10:00'),
        {},
      ] as const),
      'tonight at 18:00',
      'Calling starts tonight at 18:00, until 21:00, then tomorrow at 18:00.',
    ],
    [
      ...(['one that has begun', nightly, at('19:00'), { isOn: true }, 'now'] as const),
      'Calling now until 21:00, then tomorrow at 18:00.',
    ],
    [
      ...(['started after its time', nightly, at('19:00'), { since: at('18:30') }] as const),
      'tomorrow at 18:00',
      'Calling starts tomorrow at 18:00, until 21:00, then on Wednesday at 18:00.',
    ],
    [
      ...(['over a weekend', nightly, at('22:00', '2026-01-09'), {}] as const),
      'on Monday at 18:00',
      'Calling starts on Monday at 18:00, until 21:00, then on Tuesday at 18:00.',
    ],
    [
      ...(['once a month', { schedule: '0 18 1 * *' }, at('10:00'), {}] as const),
      'on Sun 2026-02-01 at 18:00',
      'Calling starts on Sun 2026-02-01 at 18:00, until Mon 2026-02-02 at 05:00, then on Sun 2026-03-01 at 18:00.',
    ],
    [
      ...(['every hour', { schedule: '0 * * * *', policy: from9to20 }, at('10:00'), {}] as const),
      'now',
      'Calling starts now, until 20:00, then tomorrow at 09:00.',
    ],
  ])('by %s', (_, settings, now, given, when, text) => {
    expect(said(settings, now, given)).toMatchObject({ when, text });
  });

  it('ends when the last place closes, and only for people who are due', () => {
    const east = { zoneKey: '-02:00;BR', waiting: 1, firstNotBefore: 0 };
    const people = [...PEOPLE, east];
    const policy = { policy: from9to20 };
    expect(said(policy, at('10:00'), { people })?.text).toContain('until 22:00');
    const later = [...PEOPLE, { ...east, firstNotBefore: at('21:00') }];
    expect(said(policy, at('10:00'), { people: later })?.text).toContain(
      'until 20:00, then tonight',
    );
    expect(said({ schedule: '0 3 * * *', policy: from9to20 }, at('10:00'))).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { readRule } from '../../../src/config/rules/load-rule.ts';
import type { AppError } from '../../../src/runtime/errors.ts';

const DAYS = 'mon-fri: 09:00-20:00\n  sat-sun: closed';
const read = (text: string) =>
  readRule(text, { name: 'mine', path: '/own/mine.yaml', shipped: false });

/** What is said of a file, without its path. */
function saidOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'RULES_INVALID', exitCode: 2 });
    const { lines, hint } = error as AppError;
    expect(hint).toContain('callsheet rules check');
    return lines.flatMap((line) => (line.startsWith('/own/mine.yaml:') ? [line.slice(15)] : []));
  }
  return [];
}
const hours = (days: string) => saidOf(`about: mine\nhours:\n  ${days}\n`);

describe("an operator's own rule file", () => {
  it('has hours, caps, silences, an age of lists, consent and regions', () => {
    const { rule, figures, ...file } = read(`
about: Renewals, as our lawyers say
for: [us, FR]
hours: { mon-thu: '09:00-12:30, 13:30-24:00', fri: 00:00-24:00, sat: closed, sun: closed, holidays: closed }
caps: [{ calls: 2, per: 24h, source: 'mail of 3 May', grade: L, checked: 2026-05-03 }, { calls: 9, per: 90d }]
afterConversation: { silence: 2d }
afterRefusal: { silence: 36h }
lists: { maxAge: 20d, registry: us-national, byArea: true }
consent: { required: true, maxAge: 2d }
regions:
  US-TX, US-NM: { caps: [{ calls: 1, per: 7d }] }
`);
    expect(file).toEqual({
      about: 'Renewals, as our lawyers say',
      appliesTo: ['US', 'FR'],
      listAge: { ms: 20 * 86_400_000, registry: 'us-national', byArea: true },
      consentRequired: true,
      consentMaxAgeMs: 2 * 86_400_000,
      path: '/own/mine.yaml',
      shipped: false,
    });
    const early = [
      [540, 750],
      [810, 1_440],
    ];
    const texan = {
      hours: null,
      caps: [{ calls: 1, perMs: 604_800_000 }],
      afterConversationMs: null,
      afterRefusalMs: null,
    };
    expect(rule).toEqual({
      name: 'mine',
      hours: {
        week: {
          mon: early,
          tue: early,
          wed: early,
          thu: early,
          fri: [[0, 1_440]],
          sat: [],
          sun: [],
        },
        holidays: [],
      },
      caps: [
        { calls: 2, perMs: 86_400_000 },
        { calls: 9, perMs: 7_776_000_000 },
      ],
      afterConversationMs: 172_800_000,
      afterRefusalMs: 129_600_000,
      regions: { 'US-TX': texan, 'US-NM': texan },
    });
    expect(figures).toContainEqual({
      where: 'caps',
      value: '2 calls per 24h',
      source: 'mail of 3 May',
      grade: 'L',
      checked: '2026-05-03',
    });
    expect(figures.map(({ where, value }) => `${where}: ${value}`)).toContain(
      'US-NM caps: 1 call per 7d',
    );
  });

  it('counts as a judgement where it gives no source', () => {
    const { figures } = read(`about: mine\nhours:\n  ${DAYS}\n`);
    expect(figures).toEqual([
      {
        where: 'hours',
        value: 'Mon-Fri 09:00-20:00, Sat-Sun closed',
        source: 'no source given',
        grade: 'J',
        checked: '',
      },
    ]);
  });

  it('has holidays like any other day when it does not name them', () => {
    expect(read(`about: mine\nhours:\n  ${DAYS}\n`).rule.hours?.holidays).toBeNull();
  });

  it('may close a day between two windows that touch', () => {
    expect(hours("mon-sun: '09:00-12:00, 12:00-15:00'")).toEqual([]);
  });
});

describe('hours that cannot be', () => {
  it.each([
    ['mon-sun: 10:00-10:00', '3:12: hours.mon-sun "10:00-10:00": "10:00-10:00" is empty'],
    [
      'mon-sun: 20:00-09:00',
      '3:12: hours.mon-sun "20:00-09:00": "20:00-09:00" ends before it begins',
    ],
    [
      "mon-sun: '09:00-12:00, 11:00-14:00'",
      '3:12: hours.mon-sun "09:00-12:00, 11:00-14:00": "11:00-14:00" begins before the span in front of it ends',
    ],
    ["mon-sun: '14:00-16:00, 09:00-12:00'", 'write the spans in order'],
    ['mon-sun: 9-20', '"9-20" is not a time span such as 09:00-20:00'],
    ['mon-sun: 09:00-24:01', '"09:00-24:01" is not a time span'],
    ['mon-sun: 09:60-12:00', 'times from 00:00 to 24:00'],
    ['mon-sun:', 'hours.mon-sun is empty or not one value; it must be a time span'],
    ['mon-sun: [09:00-12:00]', 'hours.mon-sun is empty or not one value'],
    ['mon-fri: closed', '3:3: hours does not name sat, sun; give their hours, or closed.'],
    [
      'mon-sun: closed\n  wed: closed',
      '4:3: hours.wed names wed a second time (it is in "mon-sun"); name every day once.',
    ],
    ['mon-sun: closed\n  mon-sun: closed', '4:3: this key is given twice'],
    ['mon-son: closed', '3:3: "hours.mon-son" is not a key; the days are mon, tue'],
    ['sat-mon: closed', '3:3: "hours.sat-mon" runs over the end of the week'],
    [
      'mon-sun: closed\n  holiday: closed',
      '4:3: "hours.holiday" is not a key (did you mean "holidays"?)',
    ],
    ['- mon', 'hours must be a group of `key: value`.'],
  ])('%j are refused with their place', (days, sentence) => {
    const [first = '', ...more] = hours(days);
    expect(first).toContain(sentence);
    expect(more).toEqual([]);
  });
});

describe('figures that cannot be', () => {
  it.each([
    [
      'caps: [{ calls: 0, per: 24h }]',
      '2:17: caps[0].calls "0" is not a whole number of calls from 1 to 1000; to call nobody, pause the campaign',
    ],
    ['caps: [{ calls: three, per: 24h }]', 'caps[0].calls "three" is not a whole number'],
    ['caps: [{ per: 24h }]', '2:8: caps[0] has no calls; it must be a whole number of calls'],
    ['caps: [{ calls: 3 }]', 'caps[0] has no per; it must be a time from 1h to 366d'],
    [
      'caps: [{ calls: 3, per: 0h }]',
      '2:25: caps[0].per "0h" is not a time from 1h to 366d, such as 24h or 7d.',
    ],
    ['caps: [{ calls: 3, per: day }]', 'caps[0].per "day" is not a time'],
    ['caps: 3', 'caps[0] must be a group of `key: value` with calls, per'],
    ['afterRefusal: { silence: never }', 'afterRefusal.silence "never" is not a time from 1h'],
    ['afterRefusal: 60d', '2:15: afterRefusal must be a group'],
    [
      'afterConversation: { silense: 7d }',
      '"afterConversation.silense" is not a key; did you mean "silence"?',
    ],
    ['lists: { maxAge: 1h }', '2:18: lists.maxAge "1h" is not a time from 1d to 366d'],
    ['consent: { required: maybe }', '2:22: consent.required "maybe" is not true or false.'],
    ['consent: { source: law }', 'consent.required is missing'],
    [
      'lists: { maxAge: 31d, grade: A }',
      'lists.grade "A" is not a grade; the grades are S, L, T, M, J.',
    ],
    [
      'lists: { maxAge: 31d, checked: 2026-02-30 }',
      'lists.checked "2026-02-30" is not a day such as 2026-11-23.',
    ],
    ['for: Utopia', '2:6: for[0] "Utopia" is not a country code such as US or FR.'],
    ['for: none', 'for[0] "none" is not a country code'],
    ['capps: 3', '2:1: "capps" is not a key; did you mean "caps"?'],
    ['colour: red', '2:1: "colour" is not a key; known here are about, for, checked, hours'],
    ['regions: { US-FX: {} }', '2:12: regions: "US-FX" is not a state of US; did you mean'],
    [
      'regions: { GB-SCT: {} }',
      'regions: "GB-SCT" would hold for nobody: callsheet tells states apart in US and CA only; use GB.',
    ],
    [
      'regions: { florida: {} }',
      'regions: "florida" is not a country or state in ISO 3166 such as US or US-FL.',
    ],
    [
      'regions: { "US-FL, US-GA": {}, US-FL: {} }',
      'regions: "US-FL" is named twice; name it once.',
    ],
    [
      'regions: { US-FL: { consent: { required: true } } }',
      '"regions.US-FL.consent" is not a key; known here are hours, caps',
    ],
    ['caps: [', 'this is not YAML'],
    ['afterRefusal: *same', '2:15: afterRefusal must be a group'],
    ['afterRefusal: {}', '2:15: afterRefusal has no silence'],
    ['caps: [{}]', '2:8: caps[0] has no calls'],
    ['caps: []', '2:7: caps is empty'],
    ['lists: {}', 'lists has no maxAge'],
    ['consent: true', '2:10: consent must be a group'],
    ['hours: {}', '2:8: hours does not name mon, tue, wed, thu, fri, sat, sun'],
    ['regions: US-FL', 'regions must be a group'],
  ])('%s is refused with its place', (line, sentence) => {
    const said = saidOf(`about: mine\n${line}\n`);
    expect(said.join('\n')).toContain(sentence);
    expect(said.length).toBeLessThanOrEqual(2);
  });

  it('are all said at once, in the order of the file', () => {
    const said = saidOf('abuot: mine\nhours:\n  mon-sun: 9-5\ncaps: [{ calls: 0, per: 24h }]\n');
    expect(said.map((line) => line.replace(/: .*/s, ''))).toEqual(['1:1', '1:1', '3:12', '4:17']);
  });

  it('are an empty file, and one that is no group', () => {
    expect(saidOf('').join()).toContain('the file must be a group');
    expect(saidOf('- a').join()).toContain('the file must be a group');
    expect(saidOf('for: US').join()).toContain('about is missing; say in a line what it is.');
  });
});

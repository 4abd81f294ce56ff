import { describe, expect, it } from 'vitest';
import { composePolicy } from '../../../src/config/rules/compose-policy.ts';
import { allParts, loadRule, readRule } from '../../../src/config/rules/load-rule.ts';
import { callingHours } from '../../../src/domain/calling/calling-hours.ts';
import type { E164 } from '../../../src/domain/phone.ts';
import { placeOfPerson } from '../../../src/leads/zones/place-of-person.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';

/**
 * Where people are, what their numbers begin with (all but two digits; fictional where the country keeps such numbers), how
 * many hours their clocks are ahead of UTC in December, and when they may be called on a weekday, a Saturday, a Sunday and
 * Christmas Day, `-` for not at all. One of them stands for all four. Written from the text that the last column names, not
 * from the rule files, which may be stricter where that text was not read.
 */
const BY_THE_LAW = `
US-FL  +130555501  -5   8-20                    Fla. Stat. 501.616(6)(a)
US-OK  +140555501  -6   9-20                    15 O.S. 755.1(C)(2)(a) from nine, 775C.4 until eight
US-MD  +141055501  -5   8-20                    Md. Code, Commercial Law 14-4502(c)
US-OR  +150355501  -8   8-20                    ORS 646.563, HB 3865 (2025)
US-WA  +120655501  -8   8-20                    RCW 19.158.040(2)
US-CT  +186055501  -5   9-20                    Conn. Gen. Stat. 42-288a(c)
US-TX  +121455501  -6   9-21|9-21|12-21|9-21    Tex. Util. Code 55.125
US-RI  +140155501  -5   9-18|10-17|-|-          RIGL 5-61-2(2)
US-KY  +150255501  -5   10-21                   KRS 367.46955(16)
US-LA  +122555501  -6   8-20|8-20|-|-           La. R.S. 45:811(2), (3)
US-MS  +160155501  -6   8-20|8-20|-|8-20        Miss. Code 77-3-723(1)
US-MA  +161755501  -5   8-20                    201 CMR 12.02(2)
US-NV  +170255501  -8   9-20                    NRS 597.814(2)(a) from nine, 598.0918 until eight
US-MN  +161255501  -6   9-21                    Minn. Stat. 325E.30
US-NM  +150555501  -7   9-21                    N.M. Stat. 57-12-22(B)(5)
US-IL  +131255501  -6   9-21                    815 ILCS 305/15(a)
US-CA  +121355501  -8   9-21                    Cal. Pub. Util. Code 2872(c)
US-NE  +140255501  -6   8-21|8-21|13-21|13-21   291 Neb. Admin. Code 11-003.01
US-ME  +120755501  -5   9-17|-|-|9-17           10 M.R.S. 1498(3), weekdays
US-SC  +180355501  -5   8-19                    S.C. Code 16-17-446(C)(3)
US-SD  +160555501  -6   10-21|-|-|10-21         SDCL 37-30-28, weekdays from nine, by the clock of the west too
US-UT  +180155501  -7   8-21|8-21|-|-           Utah Code 13-25a-103(3)
US-PA  +121555501  -5   9-19|9-19|-|-           Act 47 of 2026 (SB 992), 73 P.S. 2245(a)
CA     +141655501  -5   9-21:30|10-18|10-18|9-21:30  Unsolicited Telecommunications Rules, part III, section 23
GB     +4420794601  0   8-21                    no law on hours: the judgement of uk
AU     +612701000   11  9-20|9-17|-|-           Telemarketing and Research Calls Industry Standard 2017
IT     +3906000000  1   10-19|10-19|-|-         Codice di condotta telemarketing, as narrow as before a holiday
PT     +3512100000  0   9-22                    Decreto-Lei 134/2009
IN     +9111000000  5.5 9-21                    TCCCPR 2018
`;

/** Where the law names no hours, those of conservative are the default on live services. */
const BY_DEFAULT = `
NL     +312000000   1   9-20|10-17|-|-          no law on hours
BE     +32200000    1   9-20|10-17|-|-          no law on hours
DE     +493023125   1   9-20|10-17|-|-          no law on hours
PL     +482200000   1   9-20|10-17|-|-          no law on hours
JP     +8130000000  9   9-20|10-17|-|9-20       no law on hours; 25 December is no holiday
SG     +65600000    8   9-20|10-17|-|-          no law on hours
`;

const PARIS = '+33199110001';
const MADRID = '+34910000001';
const PROVIDENCE = '+14015550201';
const MUSCAT = '+96824000001';
const OSLO = '+4721000001';

/** A weekday, a Saturday, a Sunday and Christmas Day, a Friday. */
const DAYS = ['2026-12-07', '2026-12-05', '2026-12-06', '2026-12-25'];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The law of each place alone. */
const LAW = readRule(
  `about: The law of each place
everybody: always
byCountry: [us-states, ca, uk, it, pt, in, au-telemarketing]
`,
  { name: 'law', path: 'law.yaml', shipped: false },
);
const LOCAL = loadRule('local', undefined);

type Rule = typeof LOCAL;
/** Whether somebody of this number may be called at a moment. */
function openAt(rule: Rule) {
  const policy = composePolicy(allParts([rule]), { timezone: 'UTC' }, []);
  if (policy === undefined) throw new Error('these rules limit nobody');
  const hours = callingHours(policy, zoneOffsets([]));
  return (phone: string, at: number) => hours(placeOfPerson({ phone: phone as E164 }).zoneKey, at);
}

const casesOf = (table: string, rule: Rule) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/))
    .map(([place = '', phone = '', ahead = '', hours = '']) => ({
      ...{ place, hours, rule, phone: `${phone}00` },
      utc: (day: string, hour: number) =>
        Date.parse(`${day}T00:00:00Z`) + (hour - Number(ahead)) * HOUR_MS,
    }));

describe('the hours that people may be called in', () => {
  it.each([...casesOf(BY_THE_LAW, LAW), ...casesOf(BY_DEFAULT, LOCAL)])(
    'begin and end to the minute: $place, $hours',
    ({ hours, phone, rule, utc }) => {
      const at = openAt(rule);
      const isOpen = (moment: number) => at(phone, moment).open;
      const [weekday = '', ...others] = hours.split('|');
      for (const [index, day] of DAYS.entries()) {
        const here = (index > 0 && others[index - 1]) || weekday;
        if (here === '-') {
          for (let hour = 0; hour < 24; hour++) expect(isOpen(utc(day, hour))).toBe(false);
          continue;
        }
        const [from, to] = here.split('-').map(hourOf) as [number, number];
        const opens = utc(day, from);
        // No call begins in the last two minutes, so that nobody's phone rings later.
        const closes = utc(day, to) - 2 * MINUTE_MS;
        const around = [opens - 1, opens, closes - 1, closes].map(isOpen);
        expect([day, ...around]).toEqual([day, false, true, true, false]);
        expect(at(phone, opens)).toEqual({ open: true, until: closes });
      }
    },
  );

  it.each([
    ['Paris on Saturday', PARIS, '2026-11-28T10:00:00Z', false],
    ['Paris in its midday break', PARIS, '2026-11-27T12:30:00Z', false],
    ['Paris before ten', PARIS, '2026-11-27T08:30:00Z', false],
    ['Paris at ten', PARIS, '2026-11-27T09:00:00Z', true],
    ['Paris in the afternoon', PARIS, '2026-11-27T14:00:00Z', true],
    ['Paris on a holiday', PARIS, '2026-11-11T10:00:00Z', false],
    ['Madrid on Saturday', MADRID, '2026-11-28T10:00:00Z', false],
    ['Madrid at 20:30, which its law alone allows', MADRID, '2026-11-27T19:30:00Z', false],
    ['Madrid on Friday', MADRID, '2026-11-27T16:00:00Z', true],
    ['Rhode Island on its Independence Day', PROVIDENCE, '2026-05-04T16:00:00Z', false],
    ['Oslo on Saturday, where conservative alone has hours', OSLO, '2026-11-28T12:00:00Z', true],
    ['Muscat, whose holidays nobody knows', MUSCAT, '2026-11-30T08:00:00Z', true],
    ['Muscat on Sunday', MUSCAT, '2026-11-29T08:00:00Z', false],
  ])('are those of local: %s', (_, phone, moment, rings) => {
    expect(openAt(LOCAL)(phone, Date.parse(moment)).open).toBe(rings);
  });
});

function hourOf(text: string): number {
  const [hour, minutes = '0'] = text.split(':');
  return Number(hour) + Number(minutes) / 60;
}

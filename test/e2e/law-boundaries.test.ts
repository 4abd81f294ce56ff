import { expect, it } from 'vitest';
import { systemClock, type Clock } from '../../src/runtime/clock.ts';
import { desk } from '../helpers/callsheet.ts';
import { hastyClock } from '../helpers/hasty-clock.ts';
import { voiceServer } from '../helpers/services/voice-server.ts';

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

/** Monday, Saturday, Sunday and Christmas Day, a Friday. */
const DAYS = ['2026-12-07', '2026-12-05', '2026-12-06', '2026-12-25'];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** So long before hours open a run begins, which passes so many times as fast. */
const SOON_MS = MINUTE_MS / 3;
const HASTE = 100;

type What = 'opens' | 'closes soon' | 'is closed';
interface Run {
  /** When the run begins: shortly before hours open, three minutes before they close, or as they close. */
  from: number;
  what: What;
  people: { place: string; phone: string }[];
}

/** All boundaries of a table, those of several places at one time together. */
function runsOf(table: string): Run[] {
  const runs = new Map<string, Run>();
  for (const line of table.trim().split('\n')) {
    const [place = '', phone = '', ahead = '', hours = ''] = line.split(/ +/);
    const add = (what: What, day: string, hour: number, minutes = 0) => {
      const from =
        Date.parse(`${day}T00:00:00Z`) + (hour - Number(ahead)) * HOUR_MS + minutes * MINUTE_MS;
      const run = runs.get(`${from} ${what}`) ?? { from, what, people: [] };
      runs.set(`${from} ${what}`, { ...run, people: [...run.people, { place, phone }] });
    };
    const [weekday = hours, ...others] = hours.split('|');
    for (const [index, day] of DAYS.entries()) {
      const here = index === 0 ? weekday : others[index - 1];
      // Days that are like weekdays have their boundaries.
      if (here === undefined || (index > 0 && here === weekday)) continue;
      if (here === '-') {
        // At noon in the middle of North America, or at noon there.
        add('is closed', day, Number(ahead) < -4 ? 18 + Number(ahead) : 12);
        continue;
      }
      const [from = 0, to = 0] = here.split('-').map(hourOf);
      add('opens', day, from, -SOON_MS / MINUTE_MS);
      // No call begins in the last two minutes, so that nobody's phone rings later.
      add('closes soon', day, to, -3);
      add('is closed', day, to);
    }
  }
  return [...runs.values()];
}

function hourOf(text: string): number {
  const [hour, minutes = '0'] = text.split(':');
  return Number(hour) + Number(minutes) / 60;
}

/**
 * Begins at this time. Whoever waits does so `haste` times as fast: it goes on as usual until the first sleep, so that
 * what comes before, such as the import, happens at its beginning.
 */
function clockFrom(at: number, haste: number): Clock {
  const ahead = at - systemClock.now();
  let hasty: Clock | null = null;
  return {
    ...systemClock,
    now: () => (hasty?.now() ?? systemClock.now()) + ahead,
    sleep: (ms, signal) => {
      hasty ??= hastyClock(haste);
      return hasty.sleep(ms, signal);
    },
  };
}

/** The law of each place alone. */
const LAW = `about: The law of each place
everybody: always
byCountry: [us-states, ca, uk, it, pt, in, au-telemarketing]
`;

it.each([
  ['the law of each place', BY_THE_LAW, './law.yaml'],
  ['the default', BY_DEFAULT, 'local'],
])(
  'the hours of %s begin and end to the minute',
  async (_, table, rules) => {
    const service = await voiceServer();
    const at = desk({ VOICE_API_KEY: 'k' });
    at.write('law.yaml', LAW);
    const wrong: string[] = [];
    for (const [index, { from, what, people }] of runsOf(table).entries()) {
      const clock = clockFrom(from, what === 'opens' ? HASTE : 1);
      const rang = new Map<string, number>();
      service.behave({
        dial: ({ body }, callId) => {
          rang.set(String(body['phone_number']), clock.now());
          return { body: { call_id: callId } };
        },
      });
      // Another number at each moment: caps must not decide.
      const numbers = people.map(({ phone }) => phone + String(index).padStart(2, '0'));
      at.write(`list-${index}.csv`, `phone\n${numbers.join('\n')}\n`);
      const { err } = await at.run(
        ['run', `list-${index}.csv`, '--agent', 'ag_1', '--service-url', service.url, '--yes']
          .concat(['--rules', rules, '--set', 'polling.floor=20ms', '--concurrency', '50'])
          .concat(['--set', 'numbers.unassigned=accept']),
        { clock },
      );
      expect(err).not.toContain('not taken');
      for (const [person, { place }] of people.entries()) {
        const ringAt = rang.get(numbers[person] ?? '');
        const isRight =
          what === 'is closed'
            ? ringAt === undefined
            : ringAt !== undefined && (what === 'closes soon' || ringAt >= from + SOON_MS);
        const rings = ringAt === undefined ? 'silent' : `rang ${new Date(ringAt).toISOString()}`;
        if (!isRight) wrong.push(`${place} ${what}, ${new Date(from).toISOString()}: ${rings}`);
      }
    }
    expect(wrong).toEqual([]);
  },
  300_000,
);

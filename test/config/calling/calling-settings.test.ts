import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatRetry } from '../../../src/config/calling-settings.ts';
import { formatDays } from '../../../src/domain/calling/policy.ts';
import type { RequiredVariables } from '../../../src/domain/campaign.ts';
import { fileWith, refusalOf, resolve, set } from '../settings-of.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const OURS = `about: our own hours
hours:
  mon-fri: 10:00-16:00
  sat: closed
  sun: closed
  holidays: closed
  source: 'our works council'
  grade: J
  checked: 2026-11-23
`;

describe('rules', () => {
  it('are local on a live service and always elsewhere, where nobody has chosen any', () => {
    const live = resolve({ defaults: { timezone: 'UTC', agent: 'ag_0', live: true } });
    expect(live.settings.rules).toEqual(['local']);
    const names = live.settings.policy?.rules.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['conservative', 'us-states', 'fr', 'es']));
    expect(live.settings.policy?.marginMs).toBe(120_000);
    expect(live.rulesFrom).toBe('default');
    expect(set()).toMatchObject({ rules: ['always'] });
    expect(set()).not.toHaveProperty('policy');
  });

  it('stay as they are stored, but for a default that nobody chose', () => {
    const stored = set();
    const live = { timezone: 'UTC', agent: 'ag_0', live: true };
    expect(resolve({ stored, defaults: live }).settings.rules).toEqual(['always']);
    const replaced = resolve({ stored, defaults: { ...live, replacesRules: true } });
    expect(replaced.settings.rules).toEqual(['local']);
    expect(replaced.changes).toEqual([
      { key: 'rules', from: 'always', to: 'local', source: 'default on live services' },
    ]);
    const chosen = { defaults: { ...live, replacesRules: true }, flags: { rules: 'always' } };
    expect(resolve({ stored, ...chosen }).settings.rules).toEqual(['always']);
  });

  it('of the operator are found beside the campaign file, and kept by their path', () => {
    const file = fileWith('rules: [us-federal, ours]', OURS);
    const { settings } = resolve({ file });
    const path = join(file.folder, 'rules', 'ours.yaml');
    expect(settings.rules).toEqual(['us-federal', path]);
    expect(settings.policy?.rules.map(({ name }) => name)).toEqual(['us-federal', 'ours']);
    const byName = resolve({ stored: settings });
    expect(byName.settings).toEqual(settings);
    expect(byName.changes).toEqual([]);
  });

  it('whose file was edited are said to have changed, not printed', () => {
    const file = fileWith('rules: ours', OURS);
    const stored = resolve({ file }).settings;
    writeFileSync(join(file.folder, 'rules', 'ours.yaml'), OURS.replace('16:00', '15:00'));
    const { settings, changes } = resolve({ file, stored });
    expect(changes).toEqual([
      { key: 'rules ours', from: 'old content', to: 'new content', source: 'its file changed' },
    ]);
    expect(settings.policy).not.toEqual(stored.policy);
  });

  it('demand files of the registries that they name, and local none', () => {
    expect(set('rules=us-federal,uk').listAges).toEqual([
      {
        ...{ ms: 31 * DAY, by: 'us-federal', registry: 'us-national' },
        areasOf: ['US', 'PR', 'GU', 'VI', 'AS', 'MP'],
      },
      { ms: 28 * DAY, by: 'uk', registry: 'uk-tps', areasOf: null },
    ]);
    for (const rules of ['conservative', 'local'])
      expect(set(`rules=${rules}`)).not.toHaveProperty('listAges');
    expect(set('rules=us-federal', 'suppression.maxAge=none').suppressionMaxAgeMs).toBeNull();
  });

  it('that are not there are refused with the near name and the places', () => {
    expect(() => set('rules=conservativ')).toThrow(
      expect.objectContaining({
        code: 'RULES_NOT_FOUND',
        exitCode: 2,
        message: expect.stringContaining('did you mean "conservative"?') as string,
      }),
    );
  });
});

describe('variables', () => {
  it('is require, names of columns, or none, and keeps what the prompt needed when it was read', () => {
    expect(set('variables=require').variables).toEqual({ from: 'prompt', columns: null });
    const named: RequiredVariables = { from: 'named', columns: ['first_name', 'plan'] };
    expect(set('variables=first_name, plan,plan').variables).toEqual(named);
    const read: RequiredVariables = { from: 'prompt', columns: ['plan'] };
    const again = resolve({ stored: { ...set(), variables: read }, sets: ['variables=require'] });
    expect([again.settings.variables, again.changes]).toEqual([read, []]);
    const other = resolve({ stored: { ...set(), variables: read }, sets: ['agent=ag_other'] });
    expect(other.settings.variables).toEqual({ from: 'prompt', columns: null });
    const both = { stored: { ...set(), variables: named }, sets: ['agent=ag_other'] };
    expect(resolve(both).settings.variables).toEqual(named);
    const file = fileWith('variables: [first_name, plan]');
    expect(resolve({ stored: set('variables=require'), file })).toMatchObject({
      settings: { variables: named },
      changes: [{ key: 'variables', from: 'require', to: 'first_name,plan' }],
    });
    expect(
      resolve({ stored: set('variables=plan'), sets: ['variables=none'] }).settings,
    ).not.toHaveProperty('variables');
    expect(() => set('variables=')).toThrow('variables');
  });
});

describe('hours, holidays and unknown zones', () => {
  it('are read from a file, and their changes are told as one', () => {
    const file = fileWith(
      "hours: { from: '9:00', to: '17:30', days: [mon-wed, fri] }\nholidays: [2026-12-24, 2026-12-31]\nzones: { unknown: us48 }\nringTime: 30s",
    );
    const stored = set();
    const { settings, changes } = resolve({ stored, file });
    expect(settings).toMatchObject({
      hours: { from: '09:00', to: '17:30', days: ['mon', 'tue', 'wed', 'fri'] },
      holidays: ['2026-12-24', '2026-12-31'],
      unknownZones: 'us48',
      ringTimeMs: 30_000,
      policy: { hours: { from: 540, to: 1_050, timezone: 'Europe/Berlin' }, marginMs: 90_000 },
    });
    expect(changes).toEqual([
      { key: 'ringTime', from: '1m', to: '30s', source: 'spring.yaml:5' },
      { key: 'hours', from: 'none', to: '09:00-17:30 mon-wed,fri', source: 'spring.yaml:2' },
      { key: 'holidays', from: 'none', to: '2026-12-24,2026-12-31', source: 'spring.yaml:3' },
      { key: 'zones.unknown', from: 'skip', to: 'us48', source: 'spring.yaml:4' },
    ]);
  });

  it('change part by part, and none takes them away', () => {
    const stored = set('hours.from=09:00', 'hours.to=17:00', 'holidays=2026-12-24');
    const later = resolve({ stored, sets: ['hours.from=18:00', 'hours.to=24:00'] }).settings;
    expect(later.hours).toEqual({ from: '18:00', to: '24:00' });
    const weekdays = resolve({ stored, sets: ['hours.days=mon-fri'] }).settings.hours;
    const days = ['mon', 'tue', 'wed', 'thu', 'fri'];
    expect(weekdays).toEqual({ from: '09:00', to: '17:00', days });
    const gone = resolve({ stored, sets: ['hours=none', 'holidays=none'] }).settings;
    expect(gone.hours).toBeUndefined();
    expect(gone.holidays).toBeUndefined();
    expect(gone).not.toHaveProperty('policy');
  });

  it('given by flag win over a file that takes them away, and the other way round', () => {
    const none = fileWith('hours: none');
    const sets = ['hours.from=18:00', 'hours.to=21:00'];
    expect(resolve({ file: none, sets }).settings.hours).toEqual({ from: '18:00', to: '21:00' });
    const some = fileWith("hours: { from: '18:00', to: '21:00' }");
    expect(resolve({ file: some, sets: ['hours=none'] }).settings.hours).toBeUndefined();
  });

  it('on some days alone hold all day', () => {
    const days = ['mon', 'sat', 'sun'];
    expect(set('hours.days=sat-mon').hours).toEqual({ from: '00:00', to: '24:00', days });
  });
});

describe('retry', () => {
  it('calls everybody once where it is left out, and has defaults for all but the attempts', () => {
    expect(set()).not.toHaveProperty('retry');
    expect(set('retry.attempts=3').retry).toEqual({
      ...{ attempts: 3, perDay: 2, gapMs: 2 * HOUR },
      after: { no_answer: 2 * HOUR, busy: HOUR / 2, voicemail: DAY },
      ...{ otherTimeOfDay: false, lastDay: null, alternatives: null },
    });
  });

  it('retries only the results that the file lists; a flag changes single ones', () => {
    const file = fileWith('retry: { attempts: 4, after: { no_answer: 4h, busy: 1h } }');
    const { settings } = resolve({ file });
    expect(settings.retry?.after).toEqual({ no_answer: 4 * HOUR, busy: HOUR });
    const sets = ['retry.after.busy=none', 'retry.after.failed=10m'];
    const flagged = resolve({ file, sets }).settings.retry;
    expect(flagged?.after).toEqual({ no_answer: 4 * HOUR, failed: HOUR / 6 });
    const later = resolve({ stored: settings, sets: ['retry.after.voicemail=1d'] }).settings.retry;
    expect(later?.after).toEqual({ no_answer: 4 * HOUR, busy: HOUR, voicemail: DAY });
  });

  it('is changed part by part, told as one, and taken away with none', () => {
    const stored = set('retry.attempts=2', 'retry.perDay=none', 'retry.gap=0s');
    const sets = ['otherTimeOfDay=yes', 'lastDay=2026-12-31', 'alternatives=2', 'gap=1d'];
    const changed = { stored, sets: sets.map((one) => `retry.${one}`) };
    const { settings, changes } = resolve(changed);
    expect(settings.retry).toMatchObject({
      ...{ attempts: 2, perDay: null, gapMs: DAY },
      ...{ otherTimeOfDay: true, lastDay: '2026-12-31', alternatives: 2 },
    });
    expect(changes).toEqual([
      {
        key: 'retry',
        from: '2 calls in all; after no answer 2 h, busy 30 min, voicemail 1 day',
        to: '2 calls in all; after no answer 2 h, busy 30 min, voicemail 1 day; but at least 1 day apart; at another time of day; until 2026-12-31; their next number after 2 calls',
        source: 'flag --set',
      },
    ]);
    expect(resolve({ stored, sets: ['retry=none'] }).settings.retry).toBeUndefined();
    const once = set('retry.attempts=1', 'retry.after.busy=none', 'retry.otherTimeOfDay=no');
    expect(formatRetry(once.retry)).toBe('1 call in all, at most 2 a day; at least 2 h apart');
  });
});

it('days are written as ranges where three or more follow each other', () => {
  expect(formatDays(['mon', 'tue', 'wed', 'fri', 'sun'])).toBe('mon-wed,fri,sun');
  expect(formatDays(['mon', 'tue'])).toBe('mon,tue');
});

describe('a bad value', () => {
  it.each([
    ['rules=', 'rules "" is not the name of a rule'],
    ['rules=always,us-states', 'has always beside other rules'],
    ['hours=9-17', 'hours "9-17" is not none; give hours.from and hours.to'],
    ['hours.from=25:00', 'hours.from "25:00" is not a time of day from 00:00 to 23:59'],
    ['hours.to=24:01', 'hours.to "24:01" is not a time of day from 00:00 to 24:00'],
    ['hours.from=09:00', 'hours.from is given without hours.to'],
    ['hours.to=09:00', 'hours.to is given without hours.from'],
    ['hours.days=mon,funday', 'is not a weekday (mon, tue, wed, thu, fri, sat, sun) or a range'],
    ['hours.days=mon-fri-sun', 'is not a weekday'],
    ['hours.start=09:00', '"hours.start" is not a key; did you mean one of hours.from'],
    ['holidays=2026-02-30', 'holidays "2026-02-30" is not a day such as 2026-12-24'],
    ['zones.unknown=Amerca/New_York', 'did you mean America/New_York?'],
    ['zones.unknown=Eastrn', 'did you mean America/New_York?'],
    ['zones.unknown=US Eastern', 'did you mean America/New_York?'],
    ['zones.unknown=US Eastern Time', 'did you mean America/New_York?'],
    ['zones.unknown=mountain standard time', 'did you mean America/Denver?'],
    ['zones.unknown=Hawaii', 'did you mean Pacific/Honolulu?'],
    ['zones.unknown=Central European Time', 'time zone such as America/New_York'],
    ['zones.unknown=Pacific Islands', 'time zone such as America/New_York'],
    ['zones.unknown=CEST', 'time zone such as America/New_York'],
    ['zones.unknown=guess', 'is not skip, us48 or an IANA time zone'],
    ['zones=us48', '"zones" is a group of keys: zones.unknown'],
    ['ringTime=4s', 'ringTime "4s" is not a duration from 5s to 5m'],
    ['retry=3', 'retry "3" is not none; give retry.attempts'],
    ['retry.attempts=21', 'retry.attempts "21" is not a whole number from 1 to 20'],
    ['retry.perDay=0', 'retry.perDay "0" is not a whole number from 1 to 20'],
    ['retry.gap=31d', 'retry.gap "31d" is not a duration'],
    ['retry.gap=2h', 'retry.gap is given without retry.attempts'],
    ['retry.after.answered=1d', 'is not a key'],
    ['retry.otherTimeOfDay=maybe', 'retry.otherTimeOfDay "maybe" is not yes or no'],
    ['retry.lastDay=2026-13-01', 'retry.lastDay "2026-13-01" is not a day'],
    ['retry.alternatives=11', 'retry.alternatives "11" is not a whole number from 1 to 10'],
  ])('%s is refused: %s', (text, message) => {
    const error = refusalOf(() => set(text));
    expect(error).toMatchObject({ code: 'SETTING_INVALID', exitCode: 2 });
    expect(error.message).toContain(message);
  });

  it('that only another makes bad is refused, too', () => {
    const both = ['hours.from=09:00', 'hours.to=09:00'];
    expect(() => set(...both)).toThrow('hours.from and hours.to are both 09:00');
    expect(() => set('hours=none', 'hours.from=09:00')).toThrow(
      'hours is none, and hours.from is given as well',
    );
    const nothing = ['no_answer', 'busy', 'voicemail'].map((name) => `retry.after.${name}=none`);
    expect(() => set('retry.attempts=2', ...nothing)).toThrow('retry.after names no result');
  });

  it('in a file is refused with its line and column', () => {
    const error = refusalOf(() => fileWith("hours: { from: '18:00', to: '30:00' }"));
    expect(error).toMatchObject({ code: 'CAMPAIGN_FILE_INVALID', exitCode: 2 });
    expect(error.message).toContain('spring.yaml:2:29: hours.to "30:00" is not a time of day');
  });
});

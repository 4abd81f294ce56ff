import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { weeklyOf } from '../../src/domain/nights/night.ts';
import { fileWith, resolve } from './settings-of.ts';

describe('settings', () => {
  it("take the longest call as the service's profile says, unless the campaign says it itself", () => {
    const defaults = { timezone: 'Europe/Berlin', agent: 'ag_0', longestCallMs: 60_000 };
    const fresh = resolve({ defaults }).settings;
    expect(fresh.longestCallMs).toBe(60_000);
    const file = fileWith('longestCall: 5m\n');
    expect(resolve({ defaults, file }).settings.longestCallMs).toBe(300_000);
    const stored = { ...fresh, longestCallMs: 120_000 };
    expect(resolve({ defaults, stored }).settings.longestCallMs).toBe(120_000);
  });

  it('have a default for everything but the agent', () => {
    const { settings, changes, rulesFrom } = resolve({ flags: { agent: 'ag_1' } });
    expect(settings).toEqual({
      ...{ agent: 'ag_1', country: null, timezone: 'Europe/Berlin', rules: ['always'] },
      ...{ concurrency: 5, pace: null, requests: 5 },
      polling: { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 },
      longestCallMs: 900_000,
      reconcileForMs: 600_000,
      results: { file: null, format: 'csv' },
    });
    expect(changes).toEqual([]);
    expect(rulesFrom).toBe('default');
  });

  it('need an agent where the service has no default one', () => {
    expect(() => resolve({ defaults: { timezone: 'UTC' } })).toThrow(
      expect.objectContaining({ code: 'AGENT_MISSING', exitCode: 2 }),
    );
  });

  it('come from flags before the file, the file before what is stored, that before defaults', () => {
    const stored = resolve({
      flags: { agent: 'stored', concurrency: '20', pace: '10/s' },
    }).settings;
    const file = fileWith('agent: file\nconcurrency: 10\nlongestCall: 5m\n');
    const flags = { agent: 'flag' };
    const { settings, changes } = resolve({ stored, file, flags, sets: ['polling.floor=5s'] });
    expect(settings).toMatchObject({
      agent: 'flag',
      concurrency: 10,
      longestCallMs: 300_000,
      pace: { count: 10, perMs: 1_000 },
      polling: { floorMs: 5_000, ceilingMs: 60_000 },
    });
    expect(changes).toEqual([
      { key: 'agent', from: 'stored', to: 'flag', source: 'flag --agent' },
      { key: 'concurrency', from: '20', to: '10', source: 'spring.yaml:3' },
      { key: 'requests', from: '16', to: '10', source: 'follows concurrency' },
      { key: 'longestCall', from: '15m', to: '5m', source: 'spring.yaml:4' },
      { key: 'polling.floor', from: '1s', to: '5s', source: 'flag --set' },
    ]);
  });

  it('hold as stored until a file or a flag differs', () => {
    const stored = resolve({
      flags: { country: 'US', rules: 'always', timezone: 'UTC', requests: '3' },
    }).settings;
    const again = resolve({ stored, defaults: { timezone: 'Asia/Tokyo', agent: 'other' } });
    expect(again.settings).toEqual(stored);
    expect(again.changes).toEqual([]);
    expect(again.rulesFrom).toBe('stored');
  });

  it('can be taken away again with none', () => {
    const stored = resolve({ flags: { country: 'US', pace: '60/min' } }).settings;
    const { settings, changes } = resolve({ stored, sets: ['country=none', 'pace=none'] });
    expect(settings).toMatchObject({ country: null, pace: null });
    expect(changes).toEqual([
      { key: 'pace', from: '60/min', to: 'none', source: 'flag --set' },
      { key: 'country', from: 'US', to: 'none', source: 'flag --set' },
    ]);
  });

  it('let requests follow concurrency up to 16, unless somebody chose them', () => {
    expect(resolve({ flags: { concurrency: '200' } }).settings.requests).toBe(16);
    const following = resolve({ flags: { concurrency: '5' } }).settings;
    expect(resolve({ stored: following, flags: { concurrency: '9' } }).settings.requests).toBe(9);
    const chosen = resolve({ flags: { concurrency: '5', requests: '64' } }).settings;
    expect(resolve({ stored: chosen, flags: { concurrency: '9' } }).settings.requests).toBe(64);
  });

  it('take the format of the results from the ending of their file, unless it is given', () => {
    const stored = resolve({ flags: { 'results.file': 'a.csv' } }).settings;
    const jsonl = resolve({ stored, flags: { 'results.file': 'b.jsonl' } });
    expect(jsonl.settings.results).toEqual({ file: '/folder/b.jsonl', format: 'jsonl' });
    expect(jsonl.changes).toEqual([
      {
        ...{ key: 'results.file', from: '/folder/a.csv', to: '/folder/b.jsonl' },
        source: 'flag --output',
      },
      { key: 'results.format', from: 'csv', to: 'jsonl', source: 'follows results.file' },
    ]);
    const out = resolve({ sets: ['results.file=-', 'results.format=jsonl'] }).settings.results;
    expect(out).toEqual({ file: '-', format: 'jsonl' });
  });

  it('say who chose the rules', () => {
    const file = fileWith('rules: always\n');
    expect(resolve({ file }).rulesFrom).toBe('file');
    expect(resolve({ file, flags: { rules: 'always' } }).rulesFrom).toBe('flag');
    expect(resolve({ sets: ['rules=always'] }).rulesFrom).toBe('flag');
  });

  it('bring name, leads, service and results along', () => {
    const file = fileWith(
      'service: { url: "http://localhost:1", profile: acme }\nresults: { format: jsonl }\n',
    );
    expect(resolve({ file })).toMatchObject({
      name: 'spring',
      leads: [join(file.folder, 'a.csv')],
      service: { name: undefined, url: 'http://localhost:1', profile: 'acme' },
      settings: { results: { file: null, format: 'jsonl' } },
    });
    expect(
      resolve({
        file,
        flags: { 'results.file': 'out.csv', service: 'main' },
        sets: ['name=april', 'leads=b.csv'],
      }),
    ).toMatchObject({
      name: 'april',
      leads: ['/folder/b.csv'],
      service: { name: 'main', url: undefined, profile: undefined },
      settings: { results: { file: '/folder/out.csv', format: 'jsonl' } },
    });
    expect(resolve({})).toMatchObject({ name: undefined, leads: [] });
  });

  it('keep the age of the suppression list, which is one', () => {
    const stored = resolve({ sets: ['suppression.maxAge=31d'] }).settings;
    expect(resolve({ stored }).settings.suppressionMaxAgeMs).toBe(31 * 86_400_000);
    expect(() => resolve({ sets: ['suppression.maxAge=31'] })).toThrow(
      'is not an age from 1d to 366d',
    );
  });

  it.each([
    ['18:00 mon-fri', '0 18 * * 1-5'],
    ['9:05', '5 9 * * *'],
    ['21:30 sat,sun', '30 21 * * 0,6'],
    ['06:00 sun-tue', '0 6 * * 0-2'],
    ['0 18 * * MON-FRI', '0 18 * * 1-5'],
    ['30 4 1 * *', '30 4 1 * *'],
  ])('take the schedule %s', (typed, cron) => {
    const { schedule } = resolve({ sets: [`schedule=${typed}`] }).settings;
    expect(schedule).toBe(typed.includes('MON') ? typed : cron);
    expect(weeklyOf(typed.includes(':') ? cron : typed)).toEqual(weeklyOf(cron));
  });

  it.each([
    ['2026-12-01', '2026-12-01 00:00'],
    ['2026-12-01T9:00', '2026-12-01 09:00'],
  ])('take the moment %s', (typed, at) => {
    const { settings } = resolve({ sets: [`notBefore=${typed}`, 'timezone=Europe/Berlin'] });
    expect(settings).toMatchObject({ notBefore: at, rules: ['always'] });
    expect(settings.policy?.notBefore).toEqual({ at, timezone: 'Europe/Berlin' });
    const later = resolve({ stored: settings, sets: ['notBefore=none'] }).settings;
    expect(later).not.toHaveProperty('policy');
    expect(() => resolve({ sets: ['notBefore=2026-02-30'] })).toThrow('is not a day such as');
  });

  it('keep a schedule until it is taken away', () => {
    const stored = resolve({ sets: ['schedule=0 18 * * 1-5'] }).settings;
    expect(stored.schedule).toBe('0 18 * * 1-5');
    expect(resolve({ stored }).settings.schedule).toBe('0 18 * * 1-5');

    const without = resolve({ stored, sets: ['schedule=none'] });
    expect(without.settings).not.toHaveProperty('schedule');
    expect(without.changes).toMatchObject([{ key: 'schedule', from: '0 18 * * 1-5', to: 'none' }]);
  });
});

describe('a setting that cannot be', () => {
  it.each([
    [{ flags: { concurrency: '0' } }, '--concurrency "0" is not a whole number'],
    [{ flags: { 'results.format': 'xml' } }, '--format "xml" is not csv, excel, xlsx or jsonl'],
    [{ flags: { 'service.url': 'x' } }, '--service-url "x" is not an address'],
    [{ sets: ['polling.floor=5'] }, '--set polling.floor "5" is not a duration from 10ms to 1h'],
    [
      { sets: ['polling.flor=5s'] },
      '--set: "polling.flor" is not a key; did you mean "polling.floor"?',
    ],
    [{ sets: ['concurrency'] }, '--set "concurrency" is not key=value'],
    [{ sets: ['pace=1/s', 'pace=2/s'] }, '--set: pace is given twice'],
    [{ flags: { pace: '1/s' }, sets: ['pace=2/s'] }, '--set: pace is given twice'],
    [{ sets: ['polling.floor=2m'] }, 'polling.floor 2m is above polling.ceiling 1m'],
  ])('%j is refused with its flag and what is allowed', (input, message) => {
    expect(() => resolve(input)).toThrow(
      expect.objectContaining({
        code: 'SETTING_INVALID',
        exitCode: 2,
        message: expect.stringContaining(message) as string,
      }),
    );
  });
});

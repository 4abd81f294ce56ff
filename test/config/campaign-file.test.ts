import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadCampaignFile } from '../../src/config/campaign-file.ts';
import { packageRoot } from '../../src/runtime/files.ts';
import { tempFolder } from '../helpers/files/temp.ts';
import { refusalOf } from './settings-of.ts';

let cwd: string;

beforeEach(() => {
  cwd = tempFolder();
});

const load = (yaml: string, name = 'spring.yaml') => {
  writeFileSync(join(cwd, name), yaml);
  return loadCampaignFile(name, cwd);
};

const problemOf = (yaml: string, name?: string) => refusalOf(() => load(yaml, name)).message;

describe('a campaign file', () => {
  it('is read with every key that this version knows', () => {
    const file = load(`name: spring-renewals
agent: ag_123
leads: lists/a.csv
country: us
service: main
timezone: america/new_york
concurrency: 10
pace: 60/min
requests: 8
rules: [always]
polling: { floor: 20ms, ceiling: 1m, deadline: 2h }
longestCall: 15m
unknown: { reconcileFor: 10m }
results: { file: ../out.csv, format: jsonl }
`);
    expect(file).toMatchObject({ path: 'spring.yaml', folder: cwd, name: 'spring-renewals' });
    expect(file.values).toEqual({
      name: 'spring-renewals',
      agent: 'ag_123',
      leads: [join(cwd, 'lists/a.csv')],
      country: 'US',
      service: 'main',
      timezone: 'America/New_York',
      concurrency: 10,
      pace: { count: 60, perMs: 60_000 },
      requests: 8,
      rules: ['always'],
      'polling.floor': 20,
      'polling.ceiling': 60_000,
      'polling.deadline': 7_200_000,
      longestCall: 900_000,
      'unknown.reconcileFor': 600_000,
      'results.file': join(cwd, '../out.csv'),
      'results.format': 'jsonl',
    });
    expect(file.lines.get('concurrency')).toBe(7);
    expect(file.lines.get('polling.ceiling')).toBe(11);
  });

  it('takes its name from itself when it has none', () => {
    expect(load('leads: a.csv\n', 'autumn.yaml').name).toBe('autumn');
    expect(problemOf('leads: a.csv\n', '-x.yaml')).toMatch(/^-x\.yaml:1:1: .*add `name:`/);
  });

  it('may name several lists, and a service of its own whose profile stands beside it', () => {
    const file = load(
      'leads: [a.csv, sub/b.csv]\nservice: { url: "https://voice.example.com/", profile: ./p.yaml }\n',
    );
    expect(file.values.leads).toEqual([join(cwd, 'a.csv'), join(cwd, 'sub/b.csv')]);
    expect(file.values['service.url']).toBe('https://voice.example.com');
    expect(file.values['service.profile']).toBe(join(cwd, 'p.yaml'));
    expect(load('service: {url: "http://localhost:1", profile: acme}').values).toEqual({
      'service.url': 'http://localhost:1',
      'service.profile': 'acme',
    });
  });

  it('keeps what YAML would take for a number, a truth or another country as it was written', () => {
    const { values } = load('agent: 007\nname: 1e3\ncountry: NO\nleads: [2026]\n');
    expect(values).toMatchObject({ agent: '007', name: '1e3', country: 'NO' });
    expect(values.leads).toEqual([join(cwd, '2026')]);
    expect(load('agent: +12125550123').values.agent).toBe('+12125550123');
  });

  it('can take a limit away with none', () => {
    expect(load('pace: none\ncountry: none').values).toEqual({ pace: null, country: null });
  });

  it('may use anchors', () => {
    const { values } = load('agent: &a ag_1\nname: *a\nleads: &l [x.csv]\n');
    expect(values).toMatchObject({ agent: 'ag_1', name: 'ag_1' });
  });
});

describe('a campaign file with a mistake', () => {
  it.each([
    ['concurrency: 0', '1:14: concurrency "0" is not a whole number from 1 to 10,000.'],
    ['concurrency: [1]', '1:14: concurrency ["1"] must be one value.'],
    ['requests: 257', '1:11: requests "257" is not a whole number from 1 to 256.'],
    [
      'pace: 60',
      '1:7: pace "60" is not a pace such as 10/s, 60/min or 500/h, or none for no limit.',
    ],
    [
      'longestCall: 900',
      '1:14: longestCall "900" is not a duration from 1s to 1d, such as 50ms, 5s, 10m, 2h or 1d.',
    ],
    ['polling:\n  floor: 5', '2:10: polling.floor "5" is not a duration from 10ms to 1h'],
    [
      'country: Bavaria',
      '1:10: country "Bavaria" is not a country: give its name, or its ISO 3166 code such as US or IN.',
    ],
    ['country: EU', '1:10: country "EU" is not a country'],
    [
      'timezone: America/New_Yrok',
      '1:11: timezone "America/New_Yrok" is not an IANA time zone; did you mean America/New_York?',
    ],
    ['timezone: new york', 'is not an IANA time zone; did you mean America/New_York?'],
    ['timezone: Berlin', 'is not an IANA time zone; did you mean Europe/Berlin?'],
    ['timezone: EST', 'has no summer time; give the zone of a city, such as America/New_York.'],
    [
      'timezone: +05:30',
      '1:11: timezone "+05:30" is not an IANA time zone such as America/New_York.',
    ],
    ['name: a/b', '1:7: name "a/b" is not a campaign name'],
    ['name: spring.csv', '1:7: name "spring.csv" is not a campaign name'],
    ['agent:', '1:7: agent "" is empty; it must be the ID of an agent.'],
    ['leads: []', '1:8: leads [] is empty; it must be the path of a list.'],
    ['leads: [a.csv, ""]', 'leads "" is empty; it must be the path of a list.'],
    ['leads: [a.csv, {b: c}]', '1:8: leads must be one value.'],
    [
      'service: { url: ftp://x }',
      'service.url "ftp://x" is not an address such as https://voice.example.com.',
    ],
    [
      'service: { url: http://voice.example.com }',
      'is not https; plain http is allowed on loopback only.',
    ],
    ['service: { url: https://h?x=1 }', 'has a ? or # part; give the base address alone.'],
    ['service: { profile: acme }', '1:12: service has a profile but no url'],
    ['service: my service', '1:10: service "my service" is not a service name'],
    ['results: { format: xml }', '1:20: results.format "xml" is not csv, excel, xlsx or jsonl.'],
  ])('%s is told its place and what is allowed', (yaml, message) => {
    expect(problemOf(yaml)).toContain(message);
    expect(problemOf(yaml)).toMatch(/^spring\.yaml:\d+:\d+: /);
  });

  it('never repeats a password that was written into an address', () => {
    const message = problemOf('service: { url: "https://me:hunter2@voice.example.com" }');
    expect(message).toContain('holds a user or password');
    expect(message).not.toContain('hunter2');
  });

  it.each([
    ['concurency: 3', '1:1: "concurency" is not a key; did you mean "concurrency"?'],
    ['longest_call: 3m', '1:1: "longest_call" is not a key; did you mean "longestCall"?'],
    [
      'leads: a.csv\npolling: { flor: 5s }',
      '2:12: "polling.flor" is not a key; did you mean "polling.floor"?',
    ],
    ['floor: 5s', '1:1: "floor" is not a key; did you mean "polling.floor"?'],
    [
      'polling: 5s',
      '1:1: "polling" is a group of keys: polling.floor, polling.ceiling, polling.deadline.',
    ],
    ['webhooks: yes', '1:1: "webhooks" is not a key; the keys are name, service, service.url,'],
  ])('%s names the nearest key', (yaml, message) => {
    expect(problemOf(yaml)).toContain(message);
  });

  it.each([
    "'0 18 * *'",
    "'* * * * * *'",
    "'0 18 * * 9'",
    'now',
    '6pm',
    '24:00',
    '18:00 no day',
    '18:00 mon tue',
  ])('schedule: %s is refused with an example of what is allowed', (schedule) => {
    expect(problemOf(`schedule: ${schedule}`)).toContain(
      "is not a schedule with a time to come such as '18:00 mon-fri' or '0 18 * * 1-5'",
    );
  });

  it('is told all problems at once, in the order of the file', () => {
    const error = refusalOf(() =>
      load('concurrency: 0\nagnet: x\nrequests: many\nschedule: now\n'),
    );
    expect(error).toMatchObject({ code: 'CAMPAIGN_FILE_INVALID', exitCode: 2 });
    expect(error.message.split('\n')).toEqual([
      'spring.yaml has 4 problems:',
      expect.stringMatching(/^ {2}spring\.yaml:1:14: /),
      expect.stringMatching(/^ {2}spring\.yaml:2:1: .*did you mean "agent"\?$/),
      expect.stringMatching(/^ {2}spring\.yaml:3:11: /),
      expect.stringMatching(/^ {2}spring\.yaml:4:11: /),
    ]);
  });

  it.each([
    ['leads: a.csv\nleads: b.csv', '2:1: this is not YAML: this key is given twice.'],
    ['leads: a.csv\n\tname: x', '2:1: this is not YAML: Tabs'],
    ['leads: a.csv\n---\nname: x', 'this is not YAML: it has several documents'],
    ['leads: *nowhere', '1:8: there is no anchor &nowhere.'],
    ['- a.csv', '1:1: this is not a list of `key: value` lines'],
    ['', '1:1: the file is empty'],
    ['__proto__: 1', '1:1: "__proto__" is not a key'],
  ])('%j is told where it is no campaign', (yaml, message) => {
    expect(problemOf(yaml)).toContain(message);
  });

  it('that does not exist, or is a folder, is named with its absolute path', () => {
    const missing = refusalOf(() => loadCampaignFile('no.yaml', cwd));
    expect(missing).toMatchObject({ code: 'CAMPAIGN_FILE_NOT_FOUND', exitCode: 2 });
    expect(missing.message).toContain(join(cwd, 'no.yaml'));
    mkdirSync(join(cwd, 'dir.yaml'));
    const folder = refusalOf(() => loadCampaignFile('dir.yaml', cwd));
    expect(folder).toMatchObject({ code: 'CAMPAIGN_FILE_NOT_FOUND' });
    expect(folder.message).toContain('is a folder');
  });
});

describe('campaigns/example.yaml', () => {
  it('is a valid campaign on the embedded service with the sample list', () => {
    const file = loadCampaignFile('campaigns/example.yaml', packageRoot());
    expect(file.values).toMatchObject({
      name: 'example',
      service: 'simulated',
      rules: ['always'],
      leads: [join(packageRoot(), 'data/samples/leads.csv')],
    });
  });
});

import { duration, group, inGroup, own, text, whole } from './row.ts';

const NEW = { holds: 'new run' } as const;
const LIVE = { holds: 'at once' } as const;

const budget = (help: string) => ({ ...whole(1, 1e9, 'none'), help, such: '500' });
const cost = (help: string) => ({ ...own('money', '40 EUR', 'none'), help });

/** Who calls, how fast, and when. */
export const CALLING_ROWS = {
  ...inGroup('The campaign', {
    name: {
      ...own('campaignName', 'spring', "the list's or file's own"),
      help: "the campaign's name",
      flag: 'name',
      ...NEW,
    },
    service: {
      ...own('serviceName', 'main', 'none'),
      help: 'a service of services.yaml, or simulated',
      flag: 'service',
      ...NEW,
    },
    'service.url': {
      ...own('serviceUrl', 'https://voice.example.com', 'VOICE_API_URL'),
      help: 'base address of a service that is in no file',
      flag: 'service-url',
      ...NEW,
    },
    'service.profile': {
      ...text('the name or path of a profile', 'voice-agent'),
      help: 'its profile, by name or path',
      flag: 'profile',
      ...NEW,
    },
  }),
  ...inGroup('Calling', {
    agent: {
      ...text('the ID of an agent', 'none'),
      help: 'ID of the voice agent; live services need one',
      such: 'ag_123',
      flag: 'agent',
      ...LIVE,
    },
    concurrency: {
      ...whole(1, 10_000, '5'),
      help: 'calls in progress at once',
      label: 'Calls at once',
      flag: 'concurrency',
      ...LIVE,
    },
    pace: {
      ...own('pace', '60/min', 'none'),
      help: 'calls started per time, at most',
      label: 'Calls begun, at most',
      flag: 'pace',
      ...LIVE,
    },
    requests: {
      ...whole(1, 256, 'as concurrency, at most 16'),
      help: 'HTTP requests in flight',
      such: '8',
      flag: 'requests',
      ...LIVE,
    },
    weight: {
      ...whole(1, 100, '1'),
      help: 'its share of the slots of a service that several campaigns need',
      ...LIVE,
    },
    ringTime: {
      ...duration('5s', '5m', '1m'),
      help: 'how long a phone may ring; no call begins later than this and 60 s before hours close',
      label: 'Rings at most',
      at: 'ringTimeMs',
      ...LIVE,
    },
    longestCall: {
      ...duration('1s', '1d', '15m'),
      help: 'no call lasts longer: its slot is free again after this',
      at: 'longestCallMs',
      ...LIVE,
    },
    refusals: {
      ...whole(1, 100, '5'),
      help: 'after so many refusals in a row that concern only this person, the person ends as `rejected`',
    },
  }),
  ...inGroup('When people are called', {
    rules: {
      ...own('rules', 'local', 'local, but always on simulated and loopback services'),
      help: 'calling rules by name or path, with commas; always: no hours, no caps',
      flag: 'rules',
      ...LIVE,
    },
    hours: {
      ...group(
        'hours.from and hours.to, such as 09:00 and 17:30, or none for no hours of your own',
      ),
      help: 'your own hours, besides those of the rules',
      ...LIVE,
    },
    'hours.from': {
      ...own('time', '18:00', 'none'),
      help: 'when they begin, in the time zone of the campaign',
      ...LIVE,
    },
    'hours.to': {
      ...own('endOfTime', '21:00', 'none'),
      help: 'when they end, 24:00 at the latest; an earlier time is on the next day',
      ...LIVE,
    },
    'hours.days': {
      ...own('days', 'mon-fri', 'every day'),
      help: 'the days on which they begin',
      ...LIVE,
    },
    holidays: {
      ...own('holidays', '2026-12-24', 'none'),
      help: 'further days on which nobody is called, with commas',
      label: 'Days on which nobody is called',
      ...LIVE,
    },
    timezone: {
      ...own('timezone', 'America/New_York', "the machine's"),
      help: 'zone of hours, schedule and printed times',
      label: 'Time zone of the campaign',
      flag: 'timezone',
    },
    'zones.unknown': {
      ...own('unknownZones', 'us48', 'skip'),
      help: 'people whose time zone is not known: skip (never called), us48 (hours of all 48 states), or a zone',
      at: 'unknownZones',
      ...LIVE,
    },
    schedule: {
      ...own('schedule', '0 18 * * 1-5', 'none'),
      help: 'when `serve` calls it: minute, hour, day, month, weekday; none: whenever it is started',
    },
    stop: {
      ...group(
        'stop.calls, stop.talkMinutes, stop.cost, stop.answered or stop.at, the same under stop.total but at, or none for no budget',
      ),
      help: 'what dialling stops at, in a night or in all',
      ...LIVE,
    },
    'stop.calls': budget('calls in a night'),
    'stop.talkMinutes': budget('minutes talked in a night'),
    'stop.cost': cost('what a night may cost'),
    'stop.answered': budget('answered calls in a night'),
    'stop.at': {
      ...own('timeOrNone', '20:30', 'none'),
      help: 'no call of the night begins from this time on',
    },
    'stop.total.calls': budget('calls of the campaign in all'),
    'stop.total.talkMinutes': budget('minutes talked in all'),
    'stop.total.cost': cost('what the campaign may cost in all'),
    'stop.total.answered': budget('answered calls in all'),
  }),
};

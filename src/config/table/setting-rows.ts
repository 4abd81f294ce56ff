import { RETRY_RESULTS } from '../../domain/calling/retry.ts';
import { RESULT_FORMAT_NAMES } from '../../domain/campaign.ts';
import { duration, each, group, inGroup, named, oneOf, own, text, whole, yesNo } from './row.ts';

const NEW = { holds: 'new run' } as const;
const LIVE = { holds: 'at once' } as const;

const budget = (help: string) => ({ ...whole(1, 1e9, 'none'), help, such: '500' });
const cost = (help: string) => ({ ...own('money', '40 EUR', 'none'), help });

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
      ...named('What is said', 'Agent'),
      help: 'ID of the voice agent; live services need one',
      such: 'ag_123',
      flag: 'agent',
      ...LIVE,
    },
    concurrency: {
      ...whole(1, 10_000, '5'),
      ...named('How many', 'Calls at once'),
      help: 'calls in progress at once',
      flag: 'concurrency',
      ...LIVE,
    },
    pace: {
      ...own('pace', '60/min', 'none'),
      ...named('How many', 'Calls begun, at most'),
      help: 'calls started per time, at most',
      flag: 'pace',
      ...LIVE,
    },
    ramp: {
      ...duration('0s', '1h', 'none'),
      ...named('How many', 'All calls at once are reached in'),
      help: 'time in which all slots are filled after a minute without calls; none: at once',
      such: '30s',
      at: 'rampMs',
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
      label: 'Share of calls at once',
      help: 'its share of the slots of a service that several campaigns need',
      ...LIVE,
    },
    ringTime: {
      ...duration('5s', '5m', '1m'),
      help: 'how long a phone may ring; no call begins later than this and 60 s before hours close',
      at: 'ringTimeMs',
      ...LIVE,
    },
    longestCall: {
      ...duration('1s', '1d', '15m'),
      label: 'Longest call',
      help: 'no call lasts longer: its slot is free again after this',
      at: 'longestCallMs',
      ...LIVE,
    },
    refusals: {
      ...whole(1, 100, '5'),
      label: 'Refusals until a person is rejected',
      help: 'after so many refusals in a row that concern only this person, the person ends as `rejected`',
    },
  }),
  ...inGroup('When people are called', {
    schedule: {
      ...own('schedule', '18:00 mon-fri', 'none'),
      label: 'Schedule in cron notation',
      help: 'when `serve` calls it: a time on chosen days, or cron notation (minute, hour, day, month, weekday); none: whenever it is started',
    },
    notBefore: {
      ...own('dayAndTime', '2026-12-01 09:00', 'none'),
      ...named('When', 'Calls are made'),
      help: 'nobody is called before this day and time, in the time zone of the campaign',
      ...LIVE,
    },
    rules: {
      ...own('rules', 'local', 'local, but always on simulated and loopback services'),
      ...named('When', 'Calling rules'),
      help: 'calling rules by name or path, with commas; always: no hours, no caps',
      texts: { local: 'by the law of each place', always: 'no hours and no caps' },
      flag: 'rules',
      ...LIVE,
    },
    hours: {
      ...group(
        'hours.from and hours.to, such as 09:00 and 17:30, or none for no hours of your own',
      ),
      label: 'Your own hours',
      help: 'hours narrower than those of the rules: calls are made only while both are open',
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
      ...own('days', 'mon-fri', 'mon-sun'),
      help: 'the days on which they begin',
      ...LIVE,
    },
    holidays: {
      ...own('holidays', '2026-12-24', 'none'),
      ...named('When', 'Days on which nobody is called'),
      help: 'further days on which nobody is called, with commas',
      ...LIVE,
    },
    timezone: {
      ...own('timezone', 'America/New_York', "the machine's"),
      ...named('When', 'Time zone of the campaign'),
      help: 'zone of hours, schedule and printed times',
      flag: 'timezone',
    },
    'zones.unknown': {
      ...own('unknownZones', 'us48', 'skip'),
      help: 'people whose time zone is not known: skip (never called), us48 (hours of all 48 states), or a zone',
      at: 'unknownZones',
      ...LIVE,
    },
    stop: {
      ...group(
        'stop.calls, stop.talkMinutes, stop.cost, stop.answered or stop.at, the same under stop.total but at, or none for no budget',
      ),
      ...named('Stop', 'Budgets'),
      help: 'what dialling stops at, in a night or in all',
      ...LIVE,
    },
    'stop.calls': budget('calls in a night'),
    'stop.talkMinutes': budget('minutes talked in a night'),
    'stop.cost': cost('cost of a night'),
    'stop.answered': budget('answered calls in a night'),
    'stop.at': {
      ...own('timeOrNone', '20:30', 'none'),
      help: 'no call of the night begins from this time on',
    },
    'stop.total.calls': budget('calls in all'),
    'stop.total.talkMinutes': budget('minutes talked in all'),
    'stop.total.cost': cost('cost in all'),
    'stop.total.answered': budget('answered calls in all'),
  }),
};

const POLICY = ['accept', 'refuse'] as const;
/** Of lists that come by themselves, which a new campaign of uploads does not have. */
const DELAYS: Partial<Record<string, string>> = { no_answer: '2h', busy: '30m', voicemail: '1d' };

/** Whom a campaign calls, how often, and its results. */
export const PEOPLE_ROWS = {
  ...inGroup('Whom, and how often', {
    retry: {
      ...group(
        'retry.attempts and, where wanted, retry.perDay, retry.gap and retry.after, or none for one call to everybody',
      ),
      ...named('Again', 'Calling again'),
      help: 'who is called again, and when',
      ...LIVE,
    },
    'retry.attempts': {
      ...whole(1, 20, '1'),
      help: 'calls to each person in all',
      such: '3',
    },
    'retry.perDay': {
      ...whole(1, 20, '2'),
      help: 'calls to a person on one day of theirs',
      none: true,
    },
    'retry.gap': {
      ...duration('0s', '30d', '2h'),
      label: 'Time between two calls',
      help: 'the least time between two calls to a person who has not asked for one',
      at: 'retry.gapMs',
    },
    ...each('retry.after', RETRY_RESULTS, (result) => ({
      ...duration('0s', '30d', DELAYS[result] ?? 'none'),
      help: `time before a person is called again after ${result.replace('_', ' ')}; none: not called again`,
      label: `After ${result.replace('_', ' ')}`,
      none: true as const,
    })),
    'retry.otherTimeOfDay': {
      ...yesNo('no'),
      label: 'The next call at another time of day',
      help: "whether the next call is in another part of the person's day (morning, afternoon, evening)",
    },
    'retry.lastDay': {
      ...own('day', '2026-12-31', 'none'),
      help: 'nobody is called again after this day',
    },
    'retry.alternatives': {
      ...whole(1, 10, 'none'),
      such: '2',
      help: "after so many unanswered calls the person's next number is called",
    },
    skipCalled: {
      ...own('skipCalled', '30d', 'none'),
      ...named('Again', 'Leave out people called within'),
      help: 'leaves out people whom another campaign called within that time, 1h to 3650d, or ever',
      flag: 'skip-called',
      ...LIVE,
    },
    variables: {
      ...own('variables', 'require', 'none'),
      ...named('What is said', 'Words that each person needs'),
      help: 'people whose row lacks one of these words are not called: require (all that the prompt needs), or names of columns',
      ...LIVE,
    },
    'suppression.maxAge': {
      ...own('maxAge', '31d', 'as the rules say'),
      help: 'no call starts while the newest suppression file is older, 1d to 366d; none: it may be of any age, also where rules ask for less',
      at: 'suppressionMaxAgeMs',
    },
    country: {
      ...own('country', 'US', 'none'),
      label: 'Country of numbers without +',
      help: 'country of numbers without +; none: such rows are rejected',
      flag: 'country',
    },
    'numbers.unassigned': {
      ...oneOf(POLICY, 'accept'),
      help: 'numbers of ranges that are not known to be in use',
    },
    'numbers.tollFree': {
      ...oneOf(POLICY, 'refuse'),
      help: 'toll-free numbers',
    },
    'numbers.extension': {
      ...oneOf(POLICY, 'refuse'),
      help: 'numbers with an extension; they are called without it',
    },
    leads: {
      ...own('lists', 'lists/spring.csv', 'none'),
      help: 'lists, and folders, globs and addresses that lists are taken from',
      at: 'sources.from',
      holds: 'new run',
    },
    watch: {
      ...yesNo('no'),
      help: 'whether folders and addresses are read every minute, and not only when the campaign opens',
      at: 'sources.watch',
    },
    after: {
      ...oneOf(['move', 'keep'], 'move'),
      label: 'Files that were taken',
      help: 'a file that was taken or refused goes to the folder `taken` or `refused` beside it, or stays',
      at: 'sources.after',
    },
    leadsMode: {
      ...oneOf(['add', 'sync'], 'add'),
      help: 'whether lists only add people, or each is complete (sync): people who wait and are not on it leave',
      at: 'sources.mode',
    },
    leadsKeyEnv: {
      ...own('listKeyName', 'CALLSHEET_LIST_KEY_CRM', 'none'),
      help: 'the variable with the key of the addresses, sent as `Authorization: Bearer`',
      at: 'sources.keyEnv',
      onlyHere: 'sends a key of this machine',
    },
    leadsMaxMegabytes: {
      ...whole(1, 10_000, '200'),
      help: 'the largest list of an address',
      at: 'sources.maxMegabytes',
    },
  }),
  ...inGroup('Results', {
    'polling.floor': {
      ...duration('10ms', '1h', '1s'),
      help: 'an open call is not polled again sooner than this',
      at: 'polling.floorMs',
    },
    'polling.ceiling': {
      ...duration('10ms', '1d', '1m'),
      help: 'an open call is polled again after this at the latest',
      at: 'polling.ceilingMs',
    },
    'polling.deadline': {
      ...duration('1s', '30d', '2h'),
      label: 'Results are awaited for',
      help: 'without readable analytics for so long the result is `no_result`',
      at: 'polling.deadlineMs',
    },
    'unknown.reconcileFor': {
      ...duration('1s', '7d', '10m'),
      help: 'how long evidence is looked for of a call whose answer was lost, before it is `unconfirmed`',
      at: 'reconcileForMs',
    },
    notify: {
      ...own('notify', '[{ on: [finished], url: https://ops.example.com/callsheet }]', 'none'),
      help: 'who gets a notice of what, besides the receivers in services.yaml',
      onlyHere: 'can start programs of this machine',
      ...LIVE,
    },
    'results.file': {
      ...own('resultsFile', 'results/{date}.csv', 'data/results/<campaign>.csv'),
      help: "where the results go; -: standard output; {date}: the night's date",
      flag: 'output',
      alias: 'o',
      onlyHere: 'is a file of this machine',
    },
    'results.format': {
      ...oneOf(RESULT_FORMAT_NAMES, 'by the ending of the file'),
      help: 'the format of the results',
      flag: 'format',
      texts: { excel: 'csv for Excel', xlsx: 'Excel workbook (.xlsx)', jsonl: 'JSON lines' },
    },
  }),
};

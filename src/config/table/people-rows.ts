import { RESULT_FORMAT_NAMES } from '../../domain/campaign.ts';
import { RETRY_RESULTS } from '../../domain/calling/retry.ts';
import { duration, each, group, inGroup, oneOf, own, whole, yesNo } from './row.ts';

const POLICY = ['accept', 'refuse'] as const;
const LIVE = { holds: 'at once' } as const;
/** Of lists that come by themselves, which a new campaign of uploads does not have. */
const DELAYS: Partial<Record<string, string>> = { no_answer: '2h', busy: '30m', voicemail: '1d' };

/** Whom a campaign calls, how often, and what becomes of the results. */
export const PEOPLE_ROWS = {
  ...inGroup('Whom, and how often', {
    retry: {
      ...group(
        'retry.attempts and, where wanted, retry.perDay, retry.gap and retry.after, or none for one call to everybody',
      ),
      help: 'who is called again, and when',
      ...LIVE,
    },
    'retry.attempts': {
      ...whole(1, 20, '1'),
      help: 'calls to each person in all',
      such: '3',
      label: 'Calls to a person, in all',
    },
    'retry.perDay': {
      ...whole(1, 20, '2'),
      help: 'calls to a person on one day of theirs',
      label: 'Calls to a person a day',
      none: true,
    },
    'retry.gap': {
      ...duration('0s', '30d', '2h'),
      help: 'the least time between two calls to a person who has not asked for one',
      label: 'Time between two calls',
    },
    ...each('retry.after', RETRY_RESULTS, (result) => ({
      ...duration('0s', '30d', DELAYS[result] ?? 'none'),
      help: `time before a person is called again after ${result}; none: not called again`,
      label: `After ${result.replace('_', ' ')}`,
      none: true as const,
    })),
    'retry.otherTimeOfDay': {
      ...yesNo('no'),
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
      help: 'leaves out people whom another campaign called within that time, 1h to 3650d, or ever',
      flag: 'skip-called',
      ...LIVE,
    },
    variables: {
      ...own('variables', 'require', 'none'),
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
      help: 'country of numbers without +; none: such rows are rejected',
      label: 'Country of numbers without +',
      flag: 'country',
    },
    'numbers.unassigned': {
      ...oneOf(POLICY, 'accept'),
      help: 'numbers of ranges that are not known to be in use',
    },
    'numbers.tollFree': { ...oneOf(POLICY, 'refuse'), help: 'toll-free numbers' },
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
      label: 'Format of the results file',
      texts: { excel: 'csv for Excel', xlsx: 'Excel workbook (.xlsx)', jsonl: 'JSON lines' },
    },
  }),
};

/** A setting that a page shows: what it does, and what it takes. */
export interface SettingWords {
  key: string;
  about: string;
  /** The keys that are set, where the setting is a group; each with what it takes. */
  parts?: Readonly<Record<string, string>>;
  /** It reaches the machine of the console, so it is set in a terminal there. */
  isLocal?: true;
}

const DURATION = 'e.g. 30m, 2h, 1d';

/** All settings in the order in which they are shown; a setting that is not among them comes at the end. */
export const SETTING_GROUPS: readonly { title: string; settings: readonly SettingWords[] }[] = [
  {
    title: 'Calling',
    settings: [
      { key: 'agent', about: 'The ID of the agent that talks.' },
      { key: 'concurrency', about: 'Calls in progress at once, 1 to 10000.' },
      { key: 'pace', about: 'Calls begun, as 60/min or 10/s; none: no limit but concurrency.' },
      { key: 'requests', about: 'HTTP requests in flight, 1 to 256.' },
      {
        key: 'weight',
        about: 'Its share of the slots of a service that several campaigns use, 1 to 100.',
      },
      { key: 'ringTime', about: 'How long it rings at most, 5s to 5m.' },
      { key: 'longestCall', about: 'No call lasts longer; its slot is free then at the latest.' },
      { key: 'refusals', about: 'It pauses after so many equal refusals in a row, 1 to 100.' },
    ],
  },
  {
    title: 'When people are called',
    settings: [
      {
        key: 'rules',
        about: 'Presets of calling hours and caps, by name, with commas; always: none.',
      },
      {
        key: 'hours',
        about: "The campaign's own hours, within those of the rules.",
        parts: {
          'hours.from': 'first minute, e.g. 18:00',
          'hours.to': 'end, e.g. 21:00',
          'hours.days': 'e.g. mon-fri',
        },
      },
      {
        key: 'holidays',
        about: 'Days on which nobody is called, e.g. 2026-12-24; none: no others.',
      },
      { key: 'timezone', about: 'For hours, schedule and the times shown, e.g. America/New_York.' },
      { key: 'zones.unknown', about: 'People whose time zone is not known: skip, or a zone.' },
      { key: 'schedule', about: 'When `serve` begins, as cron, e.g. 0 18 * * 1-5; none: always.' },
      {
        key: 'stop',
        about: 'What a night, or the whole campaign, stops at.',
        parts: {
          'stop.calls': 'calls a night',
          'stop.talkMinutes': 'minutes talked a night',
          'stop.cost': 'cost of a night, e.g. 40 EUR',
          'stop.answered': 'answered calls a night',
          'stop.at': 'time of day, e.g. 20:30',
          'stop.total.calls': 'calls in all',
          'stop.total.talkMinutes': 'minutes talked in all',
          'stop.total.cost': 'cost in all, e.g. 400 EUR',
          'stop.total.answered': 'answered calls in all',
        },
      },
    ],
  },
  {
    title: 'Whom, and how often',
    settings: [
      {
        key: 'retry',
        about: 'Who is called again, and when.',
        parts: {
          'retry.attempts': 'calls to a person in all, 1 to 20',
          'retry.perDay': 'calls to a person a day',
          'retry.gap': `time between two calls, ${DURATION}`,
          'retry.after.no_answer': `after no answer, ${DURATION}`,
          'retry.after.busy': `after busy, ${DURATION}`,
          'retry.after.voicemail': `after voicemail, ${DURATION}`,
          'retry.after.declined': `after declined, ${DURATION}`,
          'retry.after.failed': `after failed, ${DURATION}`,
          'retry.otherTimeOfDay': 'at another time of day: yes or no',
          'retry.lastDay': 'last day, e.g. 2026-12-31',
          'retry.alternatives': "a person's other number after so many calls",
        },
      },
      {
        key: 'skipCalled',
        about: 'Whoever another campaign called lately: e.g. 30d, ever or none.',
      },
      {
        key: 'variables',
        about: 'Hold people without a word that the prompt needs: require, columns or none.',
      },
      { key: 'suppression.maxAge', about: 'No calls on an older suppression list, e.g. 31d.' },
      { key: 'country', about: 'For numbers without +, e.g. US.' },
      { key: 'numbers.unassigned', about: 'Numbers that no plan assigns: accept or refuse.' },
      { key: 'numbers.tollFree', about: 'Toll-free numbers: accept or refuse.' },
      { key: 'numbers.extension', about: 'Numbers with an extension: accept or refuse.' },
      { key: 'leads', about: 'Lists, folders and addresses that are taken.' },
      { key: 'watch', about: 'Lists are taken as they come: yes or no.' },
      { key: 'after', about: 'A list that was taken: move or keep.' },
      {
        key: 'leadsMode',
        about: 'Whoever a later list leaves out: add keeps them, sync does not.',
      },
      { key: 'leadsKeyEnv', about: 'The key for addresses of lists.', isLocal: true },
      { key: 'leadsMaxMegabytes', about: 'A larger list is not taken.' },
    ],
  },
  {
    title: 'Results',
    settings: [
      { key: 'results.format', about: 'csv, excel or jsonl.' },
      { key: 'results.file', about: 'Where they are written.', isLocal: true },
      { key: 'polling.floor', about: 'Calls are looked at again after so long at least.' },
      { key: 'polling.ceiling', about: 'And after so long at most.' },
      { key: 'polling.deadline', about: 'Results that have not come by then are given up.' },
      { key: 'unknown.reconcileFor', about: 'How long evidence of a call in doubt is looked for.' },
      { key: 'notify', about: 'Who is told of what.', isLocal: true },
    ],
  },
];

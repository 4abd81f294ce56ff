/** When a start calls, which schedules can call at all, and what counts as a call. */
const CONSOLE = ['test/console/jobs/scheduled.test.ts'];
const NEVER = ['test/app/serve/schedule-never.test.ts'];

export const START_FAULTS = [
  {
    title: 'Start in the console calls at once, whatever the schedule',
    file: 'src/console/jobs/call-campaign.ts',
    text: 'atSchedule: !now,',
    replacement: 'atSchedule: false,',
    tests: CONSOLE,
    named: 'calls nobody before the time of the schedule',
  },
  {
    title: 'Call now in the console goes on at once whenever somebody may be called',
    file: 'src/console/jobs/call-campaign.ts',
    text: 'beginsNow: now && limit === null,',
    replacement: 'beginsNow: false,',
    tests: CONSOLE,
    named: 'once the night is over',
  },
  {
    title: 'what was called at once before a pause goes on at once after it',
    file: 'src/console/routes/campaign-jobs.ts',
    text: 'desk.jobs.endCalls(params.campaign);',
    replacement: '',
    tests: CONSOLE,
    named: 'while calls of a call at once are on the line',
  },
  {
    title: 'Call now in the console waits for the schedule',
    file: 'src/app/run/run.ts',
    text: 'let isFirst = beginsNow;',
    replacement: 'let isFirst = false;',
    tests: CONSOLE,
    named: 'calls at once where somebody has asked for that',
  },
  {
    title: 'a schedule outside of the hours of everybody is taken',
    file: 'src/app/plan/planned-hours.ts',
    text: 'if (ahead !== null) return ahead.at <= now',
    replacement: 'if (ahead?.at !== 0) return ahead === null || ahead.at <= now',
    tests: NEVER,
  },
  {
    title: 'dials that the service refused count as calls made',
    file: 'src/store/sql/tables/nights/nights.ts',
    text: "const isCall = kind === 'made' || kind === 'inDoubt';",
    replacement: "const isCall = kind !== 'notMade';",
    tests: ['test/cli/commands/watch/dial-counts.test.ts'],
  },
];

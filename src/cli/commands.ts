import { GROUPS, type CommandRow } from './args/command.ts';

/** Rows of the command table for the console: who may use it, and the console itself. */
const CONSOLE: Readonly<Record<string, readonly [describe: string, load: CommandRow['load']]>> = {
  console: [
    'upload, start and watch campaigns in a browser',
    async () => (await import('./commands/access/console.ts')).openConsole,
  ],
  'users list': ['who may sign in', async () => (await import('./commands/access/users.ts')).list],
  'users add <name>': [
    'let somebody sign in',
    async () => (await import('./commands/access/users.ts')).add,
  ],
  'users set <name>': [
    'give a user another role',
    async () => (await import('./commands/access/users.ts')).set,
  ],
  'users password <name>': [
    'set a password; their sessions end',
    async () => (await import('./commands/access/users.ts')).password,
  ],
  'users remove <name>': [
    'let a user in no longer',
    async () => (await import('./commands/access/users.ts')).remove,
  ],
  'tokens list': [
    'tokens of programs',
    async () => (await import('./commands/access/users.ts')).tokenList,
  ],
  'tokens add <name>': [
    'make a token',
    async () => (await import('./commands/access/users.ts')).addToken,
  ],
  'tokens remove <name>': [
    'end a token',
    async () => (await import('./commands/access/users.ts')).endToken,
  ],
};

type Row = readonly [describe: string, load: CommandRow['load']];

/** Every command by its usage, in the order of the help. A new command is a row here and a file in commands/. */
const TABLE: Record<CommandRow['group'], Record<string, Row>> = {
  Begin: {
    init: [
      'ask for service, key, agent and first list, and write the files for them',
      async () => (await import('./commands/begin/init.ts')).init,
    ],
    completion: [
      'what bash, zsh or fish reads so that Tab completes commands and campaigns',
      async () => (await import('./commands/begin/help.ts')).completion,
    ],
    'help [command..]': [
      'the commands, or the options and examples of one',
      async () => (await import('./commands/begin/help.ts')).help,
    ],
  },
  Run: {
    demo: [
      'sample list, embedded service, results file: the whole way in under a minute',
      async () => (await import('./commands/run/run.ts')).demo,
    ],
    'check <list|campaign>': [
      'the plan: who would be called, when, and who not; or all its nights in seconds; calls nobody',
      async () => (await import('./commands/run/check.ts')).check,
    ],
    'run <list|campaign>': [
      'create or resume a campaign, call its leads, write the results',
      async () => (await import('./commands/run/run.ts')).run,
    ],
    'call <number>': [
      'one test call, outside campaigns: waits and prints transcript, duration, sentiment',
      async () => (await import('./commands/run/call.ts')).call,
    ],
    'pause [campaign]': [
      'start no new call; calls in progress end by themselves',
      async () => (await import('./commands/run/change-campaign.ts')).pause,
    ],
    'resume <campaign>': [
      'start an imported campaign, or lift a pause',
      async () => (await import('./commands/run/change-campaign.ts')).resume,
    ],
    'retry <campaign>': [
      'let people be called again who were not reached, by their results',
      async () => (await import('./commands/run/change-campaign.ts')).retry,
    ],
    'cancel <campaign>': [
      'call nobody else in a campaign, withdraw one person, or put away a campaign that is done',
      async () => (await import('./commands/run/change-campaign.ts')).cancel,
    ],
    'collect [campaign]': [
      'fetch what is outstanding and write the results again; never dials',
      async () => (await import('./commands/run/call.ts')).collect,
    ],
    'rules list': [
      'the rules of calling hours and caps',
      async () => (await import('./commands/run/rules.ts')).list,
    ],
    'rules show <rule..>': [
      'a rule, or what several come to: the week, caps, sources',
      async () => (await import('./commands/run/rules.ts')).show,
    ],
    'rules check <file..>': [
      'check a rule file; says which figures are weak',
      async () => (await import('./commands/run/rules.ts')).check,
    ],
    serve: [
      'receive webhooks, call every campaign that was started, collect, until stopped',
      async () => (await import('./commands/run/serve.ts')).serve,
    ],
  },
  Watch: {
    list: [
      'every campaign, in a line each',
      async () => (await import('./commands/watch/status.ts')).list,
    ],
    'status [campaign]': [
      'where a campaign stands, who holds its slots, and what to do',
      async () => (await import('./commands/watch/status.ts')).status,
    ],
    'tail <campaign>': [
      'a line for every call that comes to an end, until the campaign does',
      async () => (await import('./commands/watch/show.ts')).tail,
    ],
    'explain <who>': [
      'why a person is not being called, when they will be, their whole story, and every call',
      async () => (await import('./commands/watch/explain.ts')).explain,
    ],
  },
  Lists: {
    'import <campaign> <list>': [
      'bring a list into a campaign without calling anybody',
      async () => (await import('./commands/lists/import.ts')).importCommand,
    ],
    'suppress add <number>': [
      'nobody calls this number any more, in any campaign',
      async () => (await import('./commands/lists/suppress.ts')).add,
    ],
    'suppress remove <number>': [
      'lift that; the entry stays readable',
      async () => (await import('./commands/lists/suppress.ts')).remove,
    ],
    'suppress undo': [
      'take back what the rows of one list have put there, for example by a wrong column',
      async () => (await import('./commands/lists/suppress.ts')).suppressUndo,
    ],
    'suppress list [number]': [
      'who may not be called, since when and by whose word',
      async () => (await import('./commands/lists/suppress.ts')).list,
    ],
    'suppress import <file>': [
      'suppress all numbers of a file; CSV, workbook, or as the registry gives them out',
      async () => (await import('./commands/lists/suppress.ts')).suppressImport,
    ],
  },
  Results: {
    'export <campaign>': [
      'write the results as csv, excel, xlsx or jsonl: one row per lead',
      async () => (await import('./commands/results/export.ts')).exportResults,
    ],
    'report <campaign>': [
      'a campaign in numbers, by night, or as one page for a browser with charts and transcripts',
      async () => (await import('./commands/results/export.ts')).report,
    ],
  },
  Service: {
    'agents list': [
      'the voice agents of the service',
      async () => (await import('./commands/service/agents.ts')).list,
    ],
    'agents create': [
      'create a voice agent from a system prompt',
      async () => (await import('./commands/service/agents.ts')).create,
    ],
    'agents show <id>': [
      'what the service says about one agent',
      async () => (await import('./commands/service/agents.ts')).show,
    ],
    'profile check <profile>': [
      'check the file that says how a service speaks',
      async () => (await import('./commands/service/profile.ts')).check,
    ],
    'profile try <profile>': [
      'what a profile finds in saved answers of a service, and what it does not',
      async () => (await import('./commands/service/profile.ts')).tryOut,
    ],
    'profile pin <profile>': [
      'a copy of a profile that keeps only the names that real answers had',
      async () => (await import('./commands/service/profile.ts')).pin,
    ],
    'inbox list': [
      'what services have sent by themselves, and its state',
      async () => (await import('./commands/service/inbox.ts')).list,
    ],
    'inbox show <id>': [
      'one delivery, as it came',
      async () => (await import('./commands/service/inbox.ts')).show,
    ],
    'inbox replay [id]': [
      'look at deliveries again, e.g. after the profile was mended',
      async () => (await import('./commands/service/inbox.ts')).replay,
    ],
    'notify test [campaign]': [
      'a test notice to everybody whom `notify` names, at once',
      async () => (await import('./commands/repair/doctor.ts')).test,
    ],
    simulate: [
      'run the embedded voice service by itself, for rehearsals and tests',
      async () => (await import('./commands/service/simulate.ts')).simulate,
    ],
  },
  Console: CONSOLE,
  Repair: {
    'resolve <campaign>': [
      'settle calls in doubt: were they made or not',
      async () => (await import('./commands/repair/resolve.ts')).resolve,
    ],
    'set <campaign> [setting..]': [
      'the settings of a campaign, or changes to them (key=value), its name too; most hold at once',
      async () => (await import('./commands/run/change-campaign.ts')).set,
    ],
    doctor: [
      'is everything in order: Node, database, disk, dial journal, service, key, profile',
      async () => (await import('./commands/repair/doctor.ts')).doctor,
    ],
    migrate: [
      'make the schema of callsheet in a database on a server, or say that it is up to date',
      async () => (await import('./commands/repair/doctor.ts')).migrate,
    ],
    move: [
      'move the database of a file to a server, for several machines',
      async () => (await import('./commands/repair/doctor.ts')).move,
    ],
    'machines list': [
      'who calls from a database on a server, and whose dial journal is waited for',
      async () => (await import('./commands/repair/doctor.ts')).machinesList,
    ],
    'machines forget <name>': [
      'wait no more for the journal of a machine that is gone',
      async () => (await import('./commands/repair/doctor.ts')).machinesForget,
    ],
    restored: [
      'say that a copy was put in the place of a database on a server',
      async () => (await import('./commands/repair/doctor.ts')).wasRestored,
    ],
    'backup <file>': [
      'copy the database to one file, consistent and verified; runners may go on',
      async () => (await import('./commands/repair/doctor.ts')).backup,
    ],
    'restore <file>': [
      'put a backup in place; calls that it has forgotten come back as unknown',
      async () => (await import('./commands/repair/doctor.ts')).restore,
    ],
  },
};

export const COMMANDS: readonly CommandRow[] = GROUPS.flatMap((group) =>
  Object.entries(TABLE[group]).map(([usage, [describe, load]]) => {
    return { name: usage.replace(/ [<[].*/, ''), usage, group, describe, load };
  }),
);

import { GROUPS, type Command, type CommandRow } from './args/command.ts';

/** The commands of a file, which is loaded only when one of them is run. */
function commandsOf<M>(load: () => Promise<M>) {
  return (name: keyof M) => async () => (await load())[name] as Command;
}

const init = commandsOf(() => import('./commands/begin/init.ts'));
const help = commandsOf(() => import('./commands/begin/help.ts'));
const run = commandsOf(() => import('./commands/run/run.ts'));
const check = commandsOf(() => import('./commands/run/check.ts'));
const call = commandsOf(() => import('./commands/run/call.ts'));
const change = commandsOf(() => import('./commands/run/change-campaign.ts'));
const rules = commandsOf(() => import('./commands/run/rules.ts'));
const serve = commandsOf(() => import('./commands/run/serve.ts'));
const status = commandsOf(() => import('./commands/watch/status.ts'));
const show = commandsOf(() => import('./commands/watch/show.ts'));
const explain = commandsOf(() => import('./commands/watch/explain.ts'));
const imports = commandsOf(() => import('./commands/lists/import.ts'));
const suppress = commandsOf(() => import('./commands/lists/suppress.ts'));
const results = commandsOf(() => import('./commands/results/export.ts'));
const agents = commandsOf(() => import('./commands/service/agents.ts'));
const profile = commandsOf(() => import('./commands/service/profile.ts'));
const inbox = commandsOf(() => import('./commands/service/inbox.ts'));
const doctor = commandsOf(() => import('./commands/repair/doctor.ts'));
const simulate = commandsOf(() => import('./commands/service/simulate.ts'));
const consoles = commandsOf(() => import('./commands/access/console.ts'));
const users = commandsOf(() => import('./commands/access/users.ts'));
const resolve = commandsOf(() => import('./commands/repair/resolve.ts'));

type Row = readonly [describe: string, load: CommandRow['load']];

/** Every command by its usage, in the order of the help. A new command is a row here and a file in commands/. */
const TABLE: Record<CommandRow['group'], Record<string, Row>> = {
  Begin: {
    init: [
      'ask for service, key, agent and first list, and write the files for them',
      init('init'),
    ],
    completion: [
      'what bash, zsh or fish reads so that Tab completes commands and campaigns',
      help('completion'),
    ],
    'help [command..]': ['the commands, or the options and examples of one', help('help')],
  },
  Run: {
    demo: [
      'sample list, embedded service, results file: the whole way in under a minute',
      run('demo'),
    ],
    'check <list|campaign>': [
      'the plan: who would be called, when, and who not; or all its nights in seconds; calls nobody',
      check('check'),
    ],
    'run <list|campaign>': [
      'create or resume a campaign, call its leads, write the results',
      run('run'),
    ],
    'call <number>': [
      'one test call, outside campaigns: waits and prints transcript, duration, sentiment',
      call('call'),
    ],
    'pause [campaign]': ['start no new call; calls in progress end by themselves', change('pause')],
    'resume <campaign>': ['start an imported campaign, or lift a pause', change('resume')],
    'retry <campaign>': [
      'let people be called again who were not reached, by their results',
      change('retry'),
    ],
    'cancel <campaign>': [
      'call nobody else in a campaign, withdraw one person, or put away a campaign that is done',
      change('cancel'),
    ],
    'collect [campaign]': [
      'fetch what is outstanding and write the results again; never dials',
      call('collect'),
    ],
    'rules list': ['the rules of calling hours and caps', rules('list')],
    'rules show <rule..>': [
      'a rule, or what several come to: the week, caps, sources',
      rules('show'),
    ],
    'rules check <file..>': ['check a rule file; says which figures are weak', rules('check')],
    serve: [
      'receive webhooks, call every campaign that was started, collect, until stopped',
      serve('serve'),
    ],
  },
  Watch: {
    list: ['every campaign, in a line each', status('list')],
    'status [campaign]': [
      'where a campaign stands, who holds its slots, and what to do',
      status('status'),
    ],
    'tail <campaign>': [
      'a line for every call that comes to an end, until the campaign does',
      show('tail'),
    ],
    'explain <who>': [
      'why a person is not being called, when they will be, their whole story, and every call',
      explain('explain'),
    ],
  },
  Lists: {
    'import <campaign> <list>': [
      'bring a list into a campaign without calling anybody',
      imports('importCommand'),
    ],
    'suppress add <number>': [
      'nobody calls this number any more, in any campaign',
      suppress('add'),
    ],
    'suppress remove <number>': ['lift that; the entry stays readable', suppress('remove')],
    'suppress undo': [
      'take back what the rows of one list have put there, for example by a wrong column',
      suppress('suppressUndo'),
    ],
    'suppress list [number]': [
      'who may not be called, since when and by whose word',
      suppress('list'),
    ],
    'suppress import <file>': [
      'suppress all numbers of a file; CSV, workbook, or as the registry gives them out',
      suppress('suppressImport'),
    ],
  },
  Results: {
    'export <campaign>': [
      'write the results as csv, excel, xlsx or jsonl: one row per lead',
      results('exportResults'),
    ],
    'report <campaign>': [
      'a campaign in numbers, by night, or as one page for a browser with charts and transcripts',
      results('report'),
    ],
  },
  Service: {
    'agents list': ['the voice agents of the service', agents('list')],
    'agents create': ['create a voice agent from a system prompt', agents('create')],
    'agents show <id>': ['what the service says about one agent', agents('show')],
    'profile check <profile>': ['check the file that says how a service speaks', profile('check')],
    'profile try <profile>': [
      'what a profile finds in saved answers of a service, and what it does not',
      profile('tryOut'),
    ],
    'profile pin <profile>': [
      'a copy of a profile that keeps only the names that real answers had',
      profile('pin'),
    ],
    'inbox list': ['what services have sent by themselves, and its state', inbox('list')],
    'inbox show <id>': ['one delivery, as it came', inbox('show')],
    'inbox replay [id]': [
      'look at deliveries again, e.g. after the profile was mended',
      inbox('replay'),
    ],
    'notify test [campaign]': [
      'a test notice to everybody whom `notify` names, at once',
      doctor('test'),
    ],
    simulate: [
      'run the embedded voice service by itself, for rehearsals and tests',
      simulate('simulate'),
    ],
  },
  Console: {
    console: ['upload, start and watch campaigns in a browser', consoles('openConsole')],
    'users list': ['who may sign in', users('list')],
    'users add <name>': ['let somebody sign in', users('add')],
    'users set <name>': ['give a user another role', users('set')],
    'users password <name>': ['set a password; their sessions end', users('password')],
    'users remove <name>': ['let a user in no longer', users('remove')],
    'tokens list': ['tokens of programs', users('tokenList')],
    'tokens add <name>': ['make a token', users('addToken')],
    'tokens remove <name>': ['end a token', users('endToken')],
  },
  Repair: {
    'resolve <campaign>': ['settle calls in doubt: were they made or not', resolve('resolve')],
    'set <campaign> [setting..]': [
      'the settings of a campaign, or changes to them (key=value), its name too; most hold at once',
      change('set'),
    ],
    doctor: [
      'is everything in order: Node, database, disk, dial journal, service, key, profile',
      doctor('doctor'),
    ],
    migrate: [
      'make the schema of callsheet in a database on a server, or say that it is up to date',
      doctor('migrate'),
    ],
    move: ['move the database of a file to a server, for several machines', doctor('move')],
    'machines list': [
      'who calls from a database on a server, and whose dial journal is waited for',
      doctor('machinesList'),
    ],
    'machines forget <name>': [
      'wait no more for the journal of a machine that is gone',
      doctor('machinesForget'),
    ],
    restored: [
      'say that a copy was put in the place of a database on a server',
      doctor('wasRestored'),
    ],
    'backup <file>': [
      'copy the database to one file, consistent and verified; runners may go on',
      doctor('backup'),
    ],
    'restore <file>': [
      'put a backup in place; calls that it has forgotten come back as unknown',
      doctor('restore'),
    ],
  },
};

export const COMMANDS: readonly CommandRow[] = GROUPS.flatMap((group) =>
  Object.entries(TABLE[group]).map(([usage, [describe, load]]) => {
    return { name: usage.replace(/ [<[].*/, ''), usage, group, describe, load };
  }),
);

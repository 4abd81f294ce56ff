import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { defineCommand } from '../../src/cli/args/command.ts';
import type { Args, Command, CommandRow } from '../../src/cli/args/command.ts';
import { DAILY, familyOf } from '../../src/cli/args/help.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { main } from '../../src/cli/main.ts';
import { say } from '../../src/cli/terminal/output.ts';
import { parseArgs } from '../../src/cli/args/parse.ts';
import { AppError, EXIT } from '../../src/runtime/errors.ts';
import { fakeIo } from '../helpers/fake-io.ts';
import type { FakeIo } from '../helpers/fake-io.ts';
import { tempFolder } from '../helpers/files/temp.ts';

const row = (name: string, usage: string, command: Command): CommandRow => ({
  name,
  usage,
  group: 'Run',
  describe: `what ${name} does`,
  load: () => Promise.resolve(command),
});

/** A small command table: `dial` keeps its arguments, the others end in the ways that commands end. */
const table = () => {
  const seen: unknown[] = [];
  const dial = defineCommand({
    arguments: { number: { describe: 'the number', required: true }, note: { describe: 'a note' } },
    options: {
      concurrency: { describe: 'calls at once', default: '5' },
      mode: { describe: 'how', choices: ['fast', 'slow'] },
      set: { type: 'texts', describe: 'key=value' },
      output: { describe: 'file', alias: 'o' },
      agent: { describe: 'agent', required: true },
      yes: { type: 'switch', describe: 'do it' },
      json: { type: 'switch', describe: 'JSON' },
    },
    examples: [['dial +12125550123 --agent a', 'one call']],
    run: async (args) => {
      seen.push(args);
      return {};
    },
  });
  const failing = (error: () => unknown) =>
    defineCommand({
      arguments: {},
      options: { json: { type: 'switch', describe: 'JSON' } },
      examples: [['x', 'y']],
      run: async () => {
        throw error();
      },
    });
  const refused = () =>
    new AppError('KEY_REFUSED', 'The key is refused.', {
      hint: 'see `callsheet agents list`',
      exitCode: EXIT.key,
      cause: new Error('401'),
    });
  const commands = [
    row('dial', 'dial <number> [note]', dial),
    row('refuse', 'refuse', failing(refused)),
    row(
      'break',
      'break',
      failing(() => new TypeError('x is undefined')),
    ),
    row(
      'agents list',
      'agents list',
      failing(() => 'just text'),
    ),
    row('agents create', 'agents create', failing(refused)),
  ];
  return { commands, seen: seen as Args<never, never>[] };
};

const run = async (argv: string[], io: FakeIo = fakeIo({ cwd: tempFolder() })) => {
  const { commands, seen } = table();
  const code = await main(argv, io, commands);
  return { code, seen, out: io.out(), err: io.err(), io };
};

describe('arguments', () => {
  it('reach the command as text, so that a phone number is never a number', async () => {
    const { code, seen } = await run([
      'dial',
      '+12125550123',
      '007',
      '--agent',
      '0123',
      '--set=a=1',
      '--set',
      'b.c=+12125550124',
      '-o',
      'out.csv',
      '--yes',
    ]);
    expect(code).toBe(0);
    expect(seen).toEqual([
      {
        number: '+12125550123',
        note: '007',
        agent: '0123',
        set: ['a=1', 'b.c=+12125550124'],
        output: 'out.csv',
        yes: true,
        json: false,
        concurrency: '5',
        mode: undefined,
        logLevel: 'warn',
      },
    ]);
  });

  it('take one value for each --set, so that the list behind it is not swallowed', async () => {
    const { seen } = await run(['dial', '--set', 'a=1', '+12125550123', '--agent', 'x']);
    expect(seen).toMatchObject([{ set: ['a=1'], number: '+12125550123' }]);
  });

  it.each([
    [
      ['dial', '1', '--agnet', 'x'],
      '--agnet is not an option of `npx callsheet dial`; did you mean --agent?',
    ],
    [['dial', '1', '--agent', 'x', '--zzz'], '--zzz is not an option of `npx callsheet dial`.'],
    [['dial', '1', '--agent', 'x', '-z'], '-z is not an option'],
    [
      ['dial', '1', 'n', 'more', '--agent', 'x'],
      '"more" is one word too many for `npx callsheet dial <number> [note]`.',
    ],
    [
      ['dial', '--agent', 'x'],
      'An argument is missing: the command is `npx callsheet dial <number> [note]`.',
    ],
    [['dial', '1', '--agent'], '--agent needs a value (agent).'],
    [['dial', '1', '--agent', '--yes'], '--agent needs a value (agent).'],
    [['dial', '1'], '`npx callsheet dial` needs --agent.'],
    [['dial', '1', '--agent', ''], '--agent is empty; it needs a value.'],
    [['dial', '1', '--agent', 'a', '--agent', 'b'], '--agent is given 2 times; give it once.'],
    [
      ['dial', '1', '--agent', 'a', '--mode', 'x'],
      '--mode "x" is not allowed; it must be one of fast, slow.',
    ],
    [['dial', '1', '--agent', 'a', '--log-level', 'loud'], '--log-level "loud" is not allowed'],
    [['dail', '1'], '"dail" is not a command; did you mean "dial"?'],
    [['stop', 'spring'], '"stop" is not a command; did you mean "pause"?'],
    [['frobnicate'], '"frobnicate" is not a command; nothing was done.'],
    [['agents', 'lst'], '"agents lst" is not a command; did you mean "agents list"?'],
    [['agents'], '"agents" is not a command; there are agents list, agents create.'],
    [['--yes', 'dial'], 'The command comes first, then its options: "--yes" is not a command.'],
  ])('%j are refused with exit 2 and what was meant', async (argv, message) => {
    const { code, err, out, seen } = await run(argv);
    expect(err).toContain(`callsheet: ${message}`);
    expect(err).toMatch(/\n {2}next: see `npx callsheet .*(--help|help --all)`\n$/);
    expect({ code, out, seen }).toEqual({ code: 2, out: '', seen: [] });
  });
});

describe('an error', () => {
  it('for the person is one line, its next step and its own exit code', async () => {
    expect(await run(['refuse'])).toMatchObject({
      code: 4,
      out: '',
      err: 'callsheet: The key is refused.\n  next: see `npx callsheet agents list`\n',
    });
  });

  it('is one line of JSON on stderr with --json', async () => {
    const { code, out, err } = await run(['refuse', '--json']);
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(JSON.parse(err)).toEqual({
      error: {
        code: 'KEY_REFUSED',
        message: 'The key is refused.',
        hint: 'see `callsheet agents list`',
        exitCode: 4,
      },
    });
    const wrong = await run(['refuse', '--json', '--jsno']);
    expect(JSON.parse(wrong.err)).toMatchObject({ error: { code: 'USAGE', exitCode: 2 } });
  });

  it('shows where it happened only with --log-level debug', async () => {
    expect((await run(['refuse'])).err).not.toContain('main.test.ts');
    const { err } = await run(['refuse', '--log-level', 'debug']);
    expect(err).toContain('main.test.ts');
    expect(err).toContain('Error: 401');
  });

  it('that nobody expected exits 1 and says how to see more', async () => {
    const { code, err } = await run(['break']);
    expect(code).toBe(1);
    expect(err).toContain('x is undefined');
    expect(err).toContain('next: run it again with --log-level debug');
    expect(err).not.toContain('    at ');
    expect((await run(['break', '--log-level=debug'])).err).toContain('    at ');
    expect((await run(['agents', 'list'])).err).toContain('just text');
  });
});

describe('output', () => {
  const failingWith = (code: string) =>
    new Writable({
      write: (_chunk, _encoding, done) => {
        done(Object.assign(new Error(code), { code }));
      },
    });
  const printing = row(
    'print',
    'print',
    defineCommand({
      arguments: {},
      options: {},
      examples: [['print', 'prints']],
      run: async (_args, io) => {
        await new Promise((resolve) => {
          io.stdout.write('data', resolve);
        });
        return {};
      },
    }),
  );

  it('into a pipe whose reader has left is no error', async () => {
    const io = fakeIo({ cwd: '/', stdout: failingWith('EPIPE') });
    expect(await main(['print'], io, [printing])).toBe(0);
    expect(io.err()).toBe('');
  });

  it('onto a full disk is one', async () => {
    const io = fakeIo({ cwd: '/', stdout: failingWith('ENOSPC') });
    expect(await main(['print'], io, [printing])).toBe(1);
    expect(io.err()).toContain('ENOSPC');
  });

  it('has no control characters that would steer the terminal', () => {
    const io = fakeIo({ cwd: '/' });
    say(io, 'agent \u001b[2Jx\u0007');
    expect(io.err()).toBe('agent \u{fffd}[2Jx\u{fffd}\n');
  });
});

/** Whether a command begins like this usage. */
const names = (usage: string) => COMMANDS.some(({ name }) => name === usage.split(' ')[0]);

describe('a command that is part of another now', () => {
  it.each([
    [['start', 'spring'], '"start" is part of `resume` now.', 'resume spring'],
    [
      ['archive', 'spring', '--undo'],
      '"archive" is part of `cancel` now.',
      'cancel spring --archive --undo',
    ],
    [['rehearse'], '"rehearse" is part of `check` now.', 'check NAME --rehearse'],
    [
      ['rename', 'spring', '--timezone', 'UTC'],
      '"rename" is part of `set` now.',
      'set spring name=NEW',
    ],
    [['rename', 'a b', 'c'], '"rename" is part of `set` now.', "set 'a b' name=c"],
    [['show', '+12125550100'], '"show" is part of `explain` now.', 'explain +12125550100 --calls'],
    [['nights', '--limit', '7'], '"nights" is part of `report` now.', 'report NAME --by night'],
    [['summary', 'spring'], '"summary" is part of `report` now.', 'report spring'],
  ])('%j is refused with exit 2, and the new words are named', async (argv, said, next) => {
    const io = fakeIo({ cwd: '/' });
    expect(await main([...argv], io)).toBe(2);
    expect(io.err()).toContain(said);
    expect(io.err()).toContain(` ${next}\``);
  });
});

describe('help', () => {
  it('shows the commands of every day on one screen, and each is one', async () => {
    const io = fakeIo({ cwd: '/' });
    expect(await main(['--help'], io)).toBe(0);
    const lines = io.out().trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(DAILY).toHaveLength(15);
    for (const [usage] of DAILY)
      expect(familyOf([usage.split(' ')[0] ?? ''], COMMANDS).length > 0 || names(usage)).toBe(true);
  });

  it('lists every command in its group', async () => {
    const io = fakeIo({ cwd: '/' });
    expect(await main(['help', '--all'], io)).toBe(0);
    for (const { usage, describe } of COMMANDS) {
      expect(io.out()).toMatch(new RegExp(`^ {2}${escaped(usage)} +${escaped(describe)}`, 'm'));
    }
    expect(io.err()).toBe('');
  });

  it('goes to stderr with exit 2 when nothing was asked for', async () => {
    const { code, out, err } = await run([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('callsheet <command> [options]');
  });

  it('of a family shows its commands, of a command its options', async () => {
    const family = await run(['agents', '--help']);
    expect(family.code).toBe(0);
    expect(family.out).toContain('agents create');
    expect(family.out).not.toContain('  dial');
    const command = await run(['dial', '-h']);
    expect(command.code).toBe(0);
    expect(command.out).toContain('callsheet dial <number> [note]');
    expect(command.out).toContain('What dial does.');
    expect(command.out).toContain('-o, --output');
    expect(command.seen).toEqual([]);
  });

  it('knows the version', async () => {
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'of %s has a description, examples that parse, and no line wider than the reference',
    async (name, row) => {
      const { usage, describe } = row;
      const io = fakeIo({ cwd: '/' });
      expect(await main([...name.split(' '), '--help'], io)).toBe(0);
      expect(io.out().toLowerCase()).toContain(describe.toLowerCase());
      const [beforeExamples = '', examples = ''] = io.out().split('\nExamples:\n');
      expect(examples).toContain(`  callsheet ${name}`);
      expect(beforeExamples.split('\n').filter((line) => line.length > 100)).toEqual([]);
      const command = await row.load();
      for (const [example] of command.examples) {
        const words = (example.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));
        await parseArgs(row, command, words.slice(name.split(' ').length));
      }
      const inUsage = [...usage.matchAll(/<([a-z-]+)[^>]*>|\[([a-z-]+)[^\]]*\]/g)];
      expect(Object.entries(command.arguments)).toEqual(
        inUsage.map(([, required, optional]): [string, unknown] => [
          required ?? optional ?? '',
          expect.objectContaining(isNeeded(required, usage)),
        ]),
      );
    },
  );
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** `<setting..>` takes several words, and at least one. */
function isNeeded(required: string | undefined, usage: string): Record<string, boolean> {
  if (required === undefined) return {};
  return usage.includes(`<${required}..>`) ? { several: true } : { required: true };
}

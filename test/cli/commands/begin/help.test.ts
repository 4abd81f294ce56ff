import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../src/cli/commands.ts';
import { desk } from '../../../helpers/callsheet.ts';

describe('help', () => {
  it.each([
    [['help'], ['--help']],
    [
      ['help', 'run'],
      ['run', '--help'],
    ],
    [
      ['help', 'suppress'],
      ['suppress', '--help'],
    ],
    [
      ['help', 'suppress', 'add'],
      ['suppress', 'add', '--help'],
    ],
    [
      ['help', 'help'],
      ['help', '--help'],
    ],
  ])('%j says what %j says', async (words, flags) => {
    const at = desk();
    const asked = await at.run(words);
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked).toEqual(await at.run(flags));
  });

  it.each([
    ['help nonsense', '"nonsense" is not a command; nothing was done.'],
    ['help rnu', '"rnu" is not a command; did you mean "run"?'],
    ['help suppress ad', '"suppress ad" is not a command; did you mean "suppress add"?'],
    ['help run leads.csv', '"leads.csv" is one word too many for `npx callsheet help run`.'],
  ])('`%s` is refused with the nearest', async (typed, message) => {
    const { code, out, err } = await desk().run(typed.split(' '));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`callsheet: ${message}\n  next: see \`npx callsheet`);
  });

  it('tells the next program what commands and options there are', async () => {
    const at = desk();
    const all = JSON.parse((await at.run(['help', '--json'])).out) as { commands: unknown[] };
    expect(all.commands).toHaveLength(COMMANDS.length);
    const one = JSON.parse((await at.run(['help', 'run', '--json'])).out) as object;
    expect(one).toMatchObject({ name: 'run', usage: 'run <list|campaign>', group: 'Run' });
    expect(one).toHaveProperty('options.concurrency.describe');
  });
});

import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../src/cli/commands.ts';
import { desk } from '../../../helpers/callsheet.ts';

describe('help', () => {
  it.each([
    ['help', '--help'],
    ['help run', 'run --help'],
    ['help suppress', 'suppress --help'],
    ['help suppress add', 'suppress add --help'],
    ['help help', 'help --help'],
  ])('%j says what %j says', async (words, flags) => {
    const at = desk();
    const asked = await at.run(words.split(' '));
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked).toEqual(await at.run(flags.split(' ')));
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

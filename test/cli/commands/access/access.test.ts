import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { until } from '../../../helpers/until.ts';

const PASSWORD = 'four fictional words here';
const typed = (text = `${PASSWORD}\n`) => ({ stdin: Readable.from([text]) });
const ADD = ['users', 'add', 'ann', '--role', 'viewer'];

describe('users', () => {
  it('are added with a password from the standard input, listed, changed and removed', async () => {
    const at = desk();
    const added = await at.run(ADD, typed());
    expect(added).toEqual({ code: 0, out: '', err: 'ann may sign in to the console (viewer).\n' });
    const list = await at.run(['users', 'list']);
    expect(list.out).toMatch(
      /^name +role +added +password set\nann +viewer +\w{3} \d{4}-\d\d-\d\d .*\n$/,
    );
    const set = await at.run(['users', 'set', 'ann', '--role', 'viewer', '--transcripts']);
    expect(set.err).toBe('ann is now: viewer, transcripts.\n');
    const changed = await at.run(['users', 'password', 'ANN'], typed('quite another password\n'));
    expect(changed.err).toBe(
      'The password of ann is changed, and all sessions of ann have ended.\n',
    );
    const removed = await at.run(['users', 'remove', 'ann']);
    expect(removed.err).toBe('ann may not sign in any more.\n');
    expect((await at.run(['users', 'list'])).err).toContain('There is no user;');
  });

  it('are what they were changed to where it cannot be logged, which is told', async () => {
    const at = desk();
    await at.run(ADD, typed());
    new Database(at.path('data/console.db'))
      .exec("CREATE TRIGGER full BEFORE INSERT ON log BEGIN SELECT RAISE(ABORT, 'no room'); END")
      .close();
    const said = 'Who does what in the console cannot be logged: no room.\n';
    const added = await at.run(['users', 'add', 'ben', '--role', 'viewer'], typed());
    expect(added).toMatchObject({
      code: 0,
      err: `${said}ben may sign in to the console (viewer).\n`,
    });
    const removed = await at.run(['users', 'remove', 'ann']);
    expect(removed).toMatchObject({ code: 0, err: `${said}ann may not sign in any more.\n` });
    const token = await at.run(['tokens', 'add', 'crm', '--role', 'viewer']);
    expect([token.code, token.err]).toEqual([0, expect.stringContaining(said)]);
    expect(token.out).not.toBe('');
  });

  it('have a password that is typed twice on a terminal, where it is not shown', async () => {
    const at = desk();
    const { io, ended } = at.begin(ADD, { stdinIsTty: true, stderrIsTty: true });
    const first = 'Password of ann (it is not shown): ';
    const again = `${first}\nThe same again: `;
    for (const [question, answer] of [
      [first, 'too short'],
      [`easy to keep in mind.\n${first}`, PASSWORD],
      [again, 'not the same at all'],
      [`type one of them twice.\n${first}`, PASSWORD],
      [`type one of them twice.\n${again}`, PASSWORD],
    ] as const) {
      await until(() => io.err().includes(question));
      io.stdin.write(`${answer}\r`);
    }
    const { code, out, err } = await ended;
    expect([code, out]).toEqual([0, '']);
    expect(err).not.toContain('fictional');
  });

  it.each<[name: string, text: string, said: string]>([
    ['ann', 'short\n', 'The password has 5 characters; at least 12 are needed.'],
    ['a/b', '', 'The name of the user "a/b" is not 1 to 64'],
  ])('are refused with what is allowed: %s, typed %j', async (name, text, said) => {
    const { code, err } = await desk().run(['users', 'add', name, '--role', 'viewer'], typed(text));
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
  });

  it('are asked for nothing where the question could not be read, and need a password', async () => {
    for (const given of [{ stdinIsTty: true, ...typed() }, typed('')]) {
      const { code, err } = await desk().run(ADD, given);
      expect([code, err]).toEqual([2, expect.stringContaining('No password was given')]);
    }
  });

  it('lose their only admin where that is said', async () => {
    const at = desk();
    await at.run(['users', 'add', 'ann', '--role', 'admin'], typed());
    const removed = await at.run(['users', 'remove', 'ann']);
    expect([removed.code, removed.err]).toEqual([
      2,
      expect.stringMatching(
        /^callsheet: ann is the only admin: .*\n {2}next: .*`npx callsheet users remove ann --force`\n$/,
      ),
    ]);
    const set = await at.run(['users', 'set', 'ann', '--role', 'operator']);
    expect(set.err).toContain('`npx callsheet users set ann --role operator --force`');
    expect((await at.run(['users', 'set', 'ann', '--role', 'viewer', '--force'])).code).toBe(0);
    expect((await at.run(['users', 'remove', 'ann'])).code).toBe(0);
  });

  it('that are there already are refused before a password is asked for', async () => {
    const at = desk();
    await at.run(ADD, typed());
    const again = await at.run(ADD, typed(''));
    expect([again.code, again.err.split('\n')[0]]).toEqual([
      2,
      'callsheet: There is a user "ann" already; capital and small letters are the same.',
    ]);
  });

  it('are beside the database in use, and to list none creates nothing', async () => {
    const at = desk();
    expect((await at.run(['users', 'list'])).code).toBe(0);
    expect((await at.run(['tokens', 'list'])).code).toBe(0);
    expect(at.has('data')).toBe(false);
    await at.run(ADD, typed());
    await at.run([...ADD, '--db', 'elsewhere/calls.db'], typed());
    expect([at.has('data/console.db'), at.has('elsewhere/console.db')]).toEqual([true, true]);
    expect([at.has('data/callsheet.db'), at.has('elsewhere/calls.db')]).toEqual([false, false]);
  });
});

describe('tokens', () => {
  it('are printed once, alone on the standard output', async () => {
    const at = desk();
    const { code, out, err } = await at.run(['tokens', 'add', 'crm', '--role', 'operator']);
    expect(code).toBe(0);
    expect(out).toMatch(/^cs_[A-Za-z0-9_-]{43}\n$/);
    expect(err).toBe('This is the token "crm" (operator); it is not shown again.\n');
    const json = await at.run(['tokens', 'list', '--json']);
    const [shown] = (JSON.parse(json.out) as { items: object[] }).items;
    expect(shown).toMatchObject({ name: 'crm', role: 'operator', lastUsedAt: null });
    const list = await at.run(['tokens', 'list']);
    expect(list.out).toMatch(/^name +role +made +last used\ncrm +operator +\w{3} \d{4}-.* +-\n$/);
    expect(`${json.out}${list.out}`).not.toContain(out.trim());
    expect((await at.run(['tokens', 'remove', 'crm'])).err).toBe(
      'The token "crm" works no longer.\n',
    );
    expect((await at.run(['tokens', 'list'])).err).toContain('There is no token;');
  });
});

import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import { LIVE, leadTo, livePhone } from '../../helpers/services/live-service.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';

const IMPORT = ['import', 'spring', 'leads.csv', '--agent', 'ag_1', '--rules', 'always'];

/** A folder with services and, below it, one with a list only. */
async function twoFolders() {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  for (const folder of ['campaigns', 'lists']) mkdirSync(at.path(folder));
  at.write('campaigns/services.yaml', `main: { url: ${service.url}, keyEnv: VOICE_API_KEY }\n`);
  at.write('lists/leads.csv', 'phone\n+12125550100\n');
  return { at, service, lists: { cwd: at.path('lists') } };
}

/** The same with a service that counts as live. */
async function twoLiveFolders() {
  const { at, service, lists } = await twoFolders();
  at.write('campaigns/services.yaml', `main: { url: ${LIVE}, keyEnv: VOICE_API_KEY }\n`);
  at.write('lists/leads.csv', `phone\n${livePhone(0)}\n`);
  return { at, lists: { ...lists, connect: leadTo({ [LIVE]: service.url }) } };
}

const nameOf = async (at: Desk, given = {}) =>
  (JSON.parse((await at.run(['list', '--json'], given)).out) as { items: { name: string }[] })
    .items[0]?.name;

describe('data/ and campaigns/', () => {
  it('are those of the nearest folder above with services.yaml, which is said; lists stay where they are typed', async () => {
    const { at, lists } = await twoFolders();
    const { code, err } = await at.run([...IMPORT, '--service', 'main'], lists);
    expect(code).toBe(0);
    expect(err).toContain(
      `data/ and campaigns/ are taken from ${at.cwd} (the nearest folder above with campaigns/services.yaml).\n`,
    );
    expect([at.has('data/callsheet.db'), at.has('lists/data')]).toEqual([true, false]);
    expect(await nameOf(at)).toBe('spring');
    const { out } = await at.run(['doctor', '--service', 'main'], lists);
    expect(out).toContain(`${at.cwd}: the nearest folder above that is one`);
  });

  it('are those of CALLSHEET_HOME, wherever the command is typed', async () => {
    const { at, lists } = await twoFolders();
    await at.run([...IMPORT, '--service', 'main'], lists);
    const elsewhere = desk({ CALLSHEET_HOME: at.cwd });
    const { err, code } = await elsewhere.run(['list']);
    expect([code, err]).toEqual([0, `data/ is taken from ${at.cwd} (CALLSHEET_HOME).\n`]);
    expect(await nameOf(elsewhere)).toBe('spring');
  });

  it.each([
    ['calls', '"calls" does not begin with /'],
    ['/no/such/folder', '"/no/such/folder" is no folder'],
  ])('are not made up where CALLSHEET_HOME is %j', async (home, why) => {
    const { code, err } = await desk({ CALLSHEET_HOME: home }).run(['list']);
    expect([code, err]).toEqual([2, expect.stringContaining(`CALLSHEET_HOME ${why}`)]);
    expect(err).toContain('next: give it the absolute path of that folder');
  });

  it('stay those of a folder that has a database, so that who was called there is not forgotten', async () => {
    const { at, lists } = await twoFolders();
    mkdirSync(at.path('lists/data'));
    await at.run([...IMPORT, '--service', 'main', '--db', 'data/callsheet.db'], lists);
    expect(await nameOf(at, lists)).toBe('spring');
    expect(await nameOf(at)).toBeUndefined();
  });

  it('give way to --db and CALLSHEET_DB', async () => {
    const { at, lists } = await twoFolders();
    await at.run([...IMPORT, '--service', 'main', '--db', 'own.db'], lists);
    expect([at.has('lists/own.db'), at.has('data')]).toEqual([true, false]);
    const env = { CALLSHEET_DB: at.path('lists/own.db') };
    const { err, out } = await at.run(['list'], { ...lists, env });
    expect([err, out]).toEqual(['', expect.stringContaining('spring')]);
  });

  it("are not looked for above the person's home folder, nor in a folder of somebody else", async () => {
    const { at, lists } = await twoFolders();
    const check = ['agents', 'list', '--service', 'main'];
    const atHome = await at.run(check, { ...lists, env: { HOME: lists.cwd } });
    expect(atHome.err).toContain(
      'There is no service "main", as there is no campaigns/services.yaml',
    );
    const other = await at.run(check, { ...lists, userId: 123_456 });
    expect(other.code).toBe(2);
    expect(other.err.replaceAll(/\s+/g, ' ')).toContain(
      `${at.path('campaigns')} is not used: it belongs to another user. \`export CALLSHEET_HOME=${at.cwd}\` uses it all the same. callsheet: There is no service "main"`,
    );
    const env = { CALLSHEET_HOME: at.cwd, VOICE_API_KEY: 'k' };
    expect((await at.run(check, { ...lists, userId: 123_456, env })).code).toBe(0);
  });
});

describe('a folder that was only found above', () => {
  it('gets no new campaign of a live service off a terminal, and says what would name it', async () => {
    const { at, lists } = await twoLiveFolders();
    const importInto = (env = {}) =>
      at.run([...IMPORT, '--service', 'main'], { ...lists, env: { VOICE_API_KEY: 'k', ...env } });
    expect((await importInto()).err).toContain('is this the right folder?');
    await at.run(['import', 'other', 'lists/leads.csv', ...IMPORT.slice(3), '--service', 'main'], {
      ...lists,
      cwd: at.cwd,
      stdinIsTty: true,
      stderrIsTty: true,
    });
    const refused = await importInto();
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('Campaign "spring" would be new in');
    expect(refused.err).toContain(`\`export CALLSHEET_HOME=${at.cwd}\``);
    const { code } = await importInto({ CALLSHEET_HOME: at.cwd });
    expect(code).toBe(0);
    // A campaign that is there already is known there, and goes on.
    expect((await importInto()).code).toBe(0);
  });
});

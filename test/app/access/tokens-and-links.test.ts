import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasRole } from '../../../src/app/access/identity.ts';
import {
  checkLogin,
  createLink,
  createSession,
  createToken,
  endSession,
  findSession,
  findToken,
  listTokens,
  removeToken,
  useLink,
} from '../../../src/app/access/sessions.ts';
import {
  addUser,
  listUsers,
  removeUser,
  requireUser,
  setRole,
} from '../../../src/app/access/users.ts';
import { zonedTime } from '../../../src/text/times.ts';
import { anAccess, PASSWORD } from './an-access.ts';

describe('a token', () => {
  it('says whose it is and when it was last used, until it is removed', async () => {
    const { store, world, clock } = anAccess();
    const listed = async () => (await listTokens(store, world)).items;
    const iso = zonedTime(world.timezone);
    const { token, ...shown } = await createToken(store, { name: 'crm', role: 'viewer' }, world);
    expect(token).toMatch(/^cs_[A-Za-z0-9_-]{43}$/);
    expect(await listed()).toEqual([shown]);
    await clock.advance(5_000);
    expect(await findToken(store, token, world)).toEqual({
      ...{ who: 'token crm', kind: 'token', role: 'viewer', transcripts: false },
    });
    const usedAt = clock.now();
    await clock.advance(59_000);
    await findToken(store, token, world);
    expect(await listed()).toEqual([{ ...shown, lastUsedAt: iso(usedAt) }]);
    await clock.advance(1_000);
    await findToken(store, token, world);
    expect(await listed()).toEqual([{ ...shown, lastUsedAt: iso(usedAt + 60_000) }]);
    await removeToken(store, 'CRM', world);
    expect(await findToken(store, token, world)).toBeUndefined();
  });

  it('is found by its whole text alone', async () => {
    const { store, world } = anAccess();
    const { token } = await createToken(store, { name: 'crm', role: 'admin' }, world);
    for (const text of [
      '',
      token.slice(0, -1),
      `${token}x`,
      token.slice(3),
      `cs_${'A'.repeat(43)}`,
    ])
      expect(await findToken(store, text, world)).toBeUndefined();
  });

  it('has a name of its own, and each refusal says what there is', async () => {
    const { store, world } = anAccess();
    await expect(removeToken(store, 'crm', world)).rejects.toMatchObject({
      ...{ code: 'TOKEN_UNKNOWN', message: 'There is no token "crm"; there are none yet.' },
    });
    await createToken(store, { name: 'crm', role: 'admin' }, world);
    await expect(createToken(store, { name: 'Crm', role: 'admin' }, world)).rejects.toMatchObject({
      code: 'TOKEN_EXISTS',
    });
    await expect(removeToken(store, 'board', world)).rejects.toThrow('the tokens are crm.');
  });
});

describe('a one-time link', () => {
  it('lets the admin of this machine in once', async () => {
    const { store, world } = anAccess();
    const { text } = await createLink(store, world);
    const { cookie, identity } = await useLink(store, { text }, world);
    expect(identity).toEqual({ who: 'root', kind: 'link', role: 'admin', transcripts: true });
    expect(await findSession(store, cookie, world)).toMatchObject(identity);
    await expect(useLink(store, { text }, world)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    await endSession(store, cookie);
    expect(await findSession(store, cookie, world)).toBeUndefined();
  });

  it('works for 5 minutes and not a moment longer', async () => {
    const { store, world, clock } = anAccess();
    const { text: late } = await createLink(store, world);
    const { text: inTime } = await createLink(store, world);
    await clock.advance(5 * 60_000 - 1);
    await expect(useLink(store, { text: inTime }, world)).resolves.toBeDefined();
    await clock.advance(1);
    await expect(useLink(store, { text: late }, world)).rejects.toMatchObject({
      code: 'LINK_REFUSED',
    });
    const guessed = { text: 'guessed', from: '192.0.2.7' };
    await expect(useLink(store, guessed, world)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    const used = await store.logPage({ before: null, limit: 3, what: 'link.used' });
    expect(used).toMatchObject([
      { who: 'nobody known', outcome: 'refused', detail: { from: '192.0.2.7' } },
      { who: 'nobody known', outcome: 'refused' },
      { who: 'root', outcome: 'done' },
    ]);
  });
});

it('no secret is in any file: neither a token, a link, a cookie nor a password', async () => {
  const { store, world, path } = anAccess();
  const { token } = await createToken(store, { name: 'crm', role: 'admin' }, world);
  await findToken(store, token, world);
  const { text } = await createLink(store, world);
  const { cookie } = await useLink(store, { text }, world);
  await addUser(store, { name: 'ann', role: 'admin', password: PASSWORD }, world);
  const login = await checkLogin(store, { name: 'ann', password: PASSWORD }, world);
  const session = await createSession(store, login, world);
  const folder = dirname(path);
  const files = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  const before = files();
  await store.close();
  const all = [...before, ...files()].join('\n');
  // What is not secret is there, so the right files were read.
  expect(all).toContain('crm');
  for (const secret of [token, token.slice(3), text, cookie, session.cookie, PASSWORD])
    expect(all.includes(secret)).toBe(false);
});

describe('users', () => {
  it('have names that are safe in addresses and on command lines', async () => {
    const { store, world } = anAccess();
    const names = ['', '.', '..', '-x', 'a b', 'a/b', 'a\nb', '\u00e4nn', '<b>', 'x'.repeat(65)];
    for (const name of names) {
      const user = { name, role: 'viewer', password: PASSWORD } as const;
      await expect(addUser(store, user, world)).rejects.toMatchObject({
        code: 'ACCESS_NAME_INVALID',
      });
    }
  });

  it('are listed without their passwords; each change is in the log with who made it', async () => {
    const { store, world, clock } = anAccess();
    await addUser(store, { name: 'ben@example.com', role: 'viewer', password: PASSWORD }, world);
    await setRole(store, { name: 'BEN@example.com', role: 'operator' }, world);
    const at = clock.now();
    const createdAt = zonedTime(world.timezone)(at);
    expect((await listUsers(store, world)).items).toEqual([
      {
        name: 'ben@example.com',
        role: 'operator',
        transcripts: true,
        createdAt,
        passwordAt: createdAt,
      },
    ]);
    const common = { at, who: 'root', target: 'ben@example.com', outcome: 'done' };
    expect(await store.logPage({ before: null, limit: 10 })).toMatchObject([
      { ...common, what: 'user.changed', detail: { before: 'viewer', role: 'operator' } },
      { ...common, what: 'user.added', detail: { role: 'viewer', transcripts: false } },
    ]);
    await expect(requireUser(store, 'ann')).rejects.toThrow('the users are ben@example.com.');
  });

  it('keep an admin where two take each other away at one moment', async () => {
    const { store, world } = anAccess();
    for (const name of ['ann', 'ben'])
      await addUser(store, { name, role: 'admin', password: PASSWORD }, world);
    const ended = await Promise.allSettled([
      removeUser(store, 'ben', { ...world, user: 'ann' }),
      setRole(store, { name: 'ann', role: 'viewer' }, { ...world, user: 'ben' }),
    ]);
    expect(ended).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'LAST_ADMIN' } },
    ]);
    expect((await listUsers(store, world)).items).toMatchObject([{ name: 'ann', role: 'admin' }]);
    const [newest] = await store.logPage({ before: null, limit: 10 });
    expect(newest).toMatchObject({ what: 'user.removed' });
  });

  it('keep an admin, unless it is said that the only one may go', async () => {
    const { store, world } = anAccess();
    for (const name of ['ann', 'ben'])
      await addUser(store, { name, role: 'admin', password: PASSWORD }, world);
    await removeUser(store, 'ben', world);
    const removed = removeUser(store, 'ANN', world);
    await expect(removed).rejects.toMatchObject({
      code: 'LAST_ADMIN',
      hint: expect.stringContaining('`callsheet users remove ann --force`') as string,
    });
    const set = setRole(store, { name: 'ann', role: 'operator' }, world);
    await expect(set).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    expect(await setRole(store, { name: 'ann', role: 'admin' }, world)).toMatchObject({
      role: 'admin',
    });
    await setRole(store, { name: 'ann', role: 'operator' }, world, { lastAdmin: true });
    await setRole(store, { name: 'ann', role: 'admin' }, world);
    await removeUser(store, 'ann', world, { lastAdmin: true });
    expect((await listUsers(store, world)).items).toEqual([]);
  });

  it('may do what their role may, and all that lesser ones may', () => {
    expect(hasRole({ role: 'operator' }, 'viewer')).toBe(true);
    expect(hasRole({ role: 'operator' }, 'operator')).toBe(true);
    expect(hasRole({ role: 'operator' }, 'admin')).toBe(false);
  });
});

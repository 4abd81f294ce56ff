import * as crypto from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { checkLogin, createSession, findSession } from '../../../src/app/access/sessions.ts';
import {
  addUser,
  changeOwnPassword,
  changePassword,
  removeUser,
  setRole,
} from '../../../src/app/access/users.ts';
import { isPassword, passwordHash, requireGoodPassword } from '../../../src/app/access/identity.ts';
import { anAccess, PASSWORD } from './an-access.ts';

vi.mock('node:crypto', { spy: true });

const LITTLE = { ln: 5, r: 8, p: 1 };

async function withAnn(all = anAccess()) {
  await addUser(all.store, { name: 'ann', role: 'viewer', password: PASSWORD }, all.world);
  const login = (name: string, password: string) =>
    checkLogin(all.store, { name, password, from: '192.0.2.7' }, all.world);
  return { ...all, login };
}

describe('a login', () => {
  it('with an unknown name gets the same answer as one with a wrong password, after the same work', async () => {
    const at = anAccess();
    // As much work as the program does; all other tests do less.
    const { login } = await withAnn({ ...at, world: { ...at.world, passwordCost: undefined } });
    const told: unknown[] = [];
    for (const name of ['ann', 'nobody']) {
      vi.mocked(crypto.scrypt).mockClear();
      const error: unknown = await login(name, 'not the password').catch(
        (thrown: unknown) => thrown,
      );
      const work = vi
        .mocked(crypto.scrypt)
        .mock.calls.map(([, , bytes, cost]) => ({ bytes, cost }));
      const { code, message, hint, exitCode } = error as Record<string, unknown>;
      told.push({ code, message, hint, exitCode, work });
    }
    expect(told[0]).toMatchObject({
      code: 'LOGIN_REFUSED',
      work: [{ cost: { N: 32_768, r: 8, p: 3 } }],
    });
    expect(told[1]).toEqual(told[0]);
  });

  it('says who it is, and is told in the log without what was typed', async () => {
    const { login, store, clock } = await withAnn();
    const { identity } = await login('ANN', ` ${PASSWORD} `);
    expect(identity).toEqual({ who: 'ann', kind: 'user', role: 'viewer', transcripts: false });
    await expect(login('my secret in the wrong field', 'x')).rejects.toThrow();
    const entries = await store.logPage({ before: null, limit: 10, what: 'login.tried' });
    const common = { at: clock.now(), target: null, detail: { from: '192.0.2.7' } };
    expect(entries).toMatchObject([
      { ...common, who: 'nobody known', outcome: 'refused' },
      { ...common, who: 'ann', outcome: 'done' },
    ]);
    expect(JSON.stringify(await store.logPage({ before: null, limit: 10 }))).not.toMatch(
      /secret|fictional/,
    );
  });

  it('does not become a session when the password was changed in the same moment', async () => {
    const { login, store, world, clock } = await withAnn();
    const right = await login('ann', PASSWORD);
    await clock.advance(1);
    await changePassword(store, { name: 'ann', password: 'other words in a row' }, world);
    await expect(createSession(store, right, world)).rejects.toMatchObject({
      code: 'LOGIN_REFUSED',
    });
  });
});

describe('a session', () => {
  it('lasts 12 hours', async () => {
    const { login, store, world, clock } = await withAnn();
    const { cookie, expiresAt, identity } = await createSession(
      store,
      await login('ann', PASSWORD),
      world,
    );
    expect(expiresAt).toBe(clock.now() + 12 * 3_600_000);
    await clock.advance(12 * 3_600_000 - 1);
    expect(await findSession(store, cookie, world)).toEqual({ ...identity, expiresAt });
    await clock.advance(1);
    expect(await findSession(store, cookie, world)).toBeUndefined();
  });

  it('ends when the password changes, and when the user is removed', async () => {
    const { login, store, world, clock } = await withAnn();
    const first = await createSession(store, await login('ann', PASSWORD), world);
    await clock.advance(1);
    await changePassword(store, { name: 'Ann', password: 'other words in a row' }, world);
    expect(await findSession(store, first.cookie, world)).toBeUndefined();
    await expect(login('ann', PASSWORD)).rejects.toThrow();
    const next = await createSession(store, await login('ann', 'other words in a row'), world);
    await removeUser(store, 'ann', world);
    expect(await findSession(store, next.cookie, world)).toBeUndefined();
  });

  it('has the role that its user has now', async () => {
    const { login, store, world } = await withAnn();
    const { cookie } = await createSession(store, await login('ann', PASSWORD), world);
    await setRole(store, { name: 'ann', role: 'viewer', transcripts: true }, world);
    expect(await findSession(store, cookie, world)).toMatchObject({
      role: 'viewer',
      transcripts: true,
    });
    await setRole(store, { name: 'ann', role: 'operator' }, world);
    expect(await findSession(store, cookie, world)).toMatchObject({
      role: 'operator',
      transcripts: true,
    });
  });
});

describe('a user', () => {
  const fresh = 'other words in a row';

  it('changes their own password by the old one, and is signed out everywhere', async () => {
    const { login, store, world, clock } = await withAnn();
    const right = await login('ann', PASSWORD);
    const first = await createSession(store, right, world);
    await clock.advance(1);
    const changed = await changeOwnPassword(
      store,
      right.identity,
      { old: PASSWORD, password: fresh },
      world,
    );
    expect(await findSession(store, first.cookie, world)).toBeUndefined();
    const next = await createSession(store, changed, world);
    expect(await findSession(store, next.cookie, world)).toMatchObject({ who: 'ann' });
    await expect(login('ann', PASSWORD)).rejects.toThrow();
    const [entry] = await store.logPage({ before: null, limit: 1, what: 'password.changed' });
    expect(entry).toMatchObject({ who: 'ann', target: 'ann', outcome: 'done' });
  });

  it('changes nothing with a wrong old password or one that is too short', async () => {
    const { login, store, world } = await withAnn();
    const { identity } = await login('ann', PASSWORD);
    const change = (old: string, password: string) =>
      changeOwnPassword(store, identity, { old, password }, world);
    await expect(change('not the old one', fresh)).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    });
    await expect(change(PASSWORD, 'short')).rejects.toMatchObject({ code: 'PASSWORD_TOO_SHORT' });
    await expect(login('ann', PASSWORD)).resolves.toBeDefined();
  });

  it('is who has a password: a link and a token have none, whatever their name', async () => {
    const { store, world } = await withAnn();
    for (const kind of ['link', 'token'] as const) {
      const identity = { who: 'ann', kind, role: 'admin', transcripts: true } as const;
      const change = { old: PASSWORD, password: fresh };
      await expect(changeOwnPassword(store, identity, change, world)).rejects.toMatchObject({
        code: 'NOT_ALLOWED',
      });
    }
  });
});

describe('a password', () => {
  it('has at least 12 characters, spaces around it not counted, and is not the name', () => {
    const refused = (name: string, password: string) => {
      try {
        return requireGoodPassword(name, password);
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(refused('ann', 'eleven char')).toBe('PASSWORD_TOO_SHORT');
    expect(refused('ann', ' eleven char ')).toBe('PASSWORD_TOO_SHORT');
    expect(refused('ann', '\u{1F600}'.repeat(11))).toBe('PASSWORD_TOO_SHORT');
    expect(refused('Ann@example.com', 'ann@Example.com')).toBe('PASSWORD_GUESSABLE');
    expect(refused('ann', '\u{1F600}'.repeat(12))).toBe('\u{1F600}'.repeat(12));
  });

  it('is kept as a slow hash of its own salt, and is the same however its letters are composed', async () => {
    const plain = 'caf\u00e9 au lait demain';
    const [one, other] = [await passwordHash(plain), await passwordHash(plain, LITTLE)];
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}==\$[\w+/]{43}=$/);
    expect(other.split('$')[3]).not.toBe(one.split('$')[3]);
    expect(await isPassword('cafe\u0301 au lait demain', one)).toBe(true);
    expect(await isPassword('cafe\u0301 au lait demain', other)).toBe(true);
    expect(await isPassword('x', other)).toBe(false);
    expect(await isPassword('x', undefined, LITTLE)).toBe(false);
  });
});

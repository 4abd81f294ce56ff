import { describe, expect, it } from 'vitest';
import type { ConsoleStore, LogQuery, UserRecord } from '../../src/store/console.ts';
import { START } from '../helpers/clock.ts';

export const ANN: UserRecord = {
  name: 'ann',
  role: 'operator',
  transcripts: false,
  password: '$scrypt$ln=15,r=8,p=3$AAAA$AAAA',
  changedAt: START,
  createdAt: START,
};

/**
 * What every store of the console must do.
 *
 * @param opened an empty one, which is closed with the test
 */
export function consoleConformance(
  kind: string,
  opened: () => Promise<{ store: ConsoleStore }>,
): void {
  describe(`the console's store: ${kind}`, () => {
    describe('users and tokens', () => {
      it('have names that are the same in capital and small letters', async () => {
        const { store } = await opened();
        expect(await store.addUser(ANN)).toBe(true);
        expect(await store.addUser({ ...ANN, name: 'ANN', role: 'admin' })).toBe(false);
        expect(await store.findUser('Ann')).toEqual(ANN);
        const token = { ...ANN, id: 'tok_1', name: 'crm', hash: 'h1' };
        expect(await store.addToken(token)).toBe(true);
        expect(await store.addToken({ ...token, id: 'tok_2', name: 'CRM', hash: 'h2' })).toBe(
          false,
        );
        expect(await store.removeToken('Crm')).toBe(true);
        expect(await store.findToken('h1')).toBeUndefined();
      });

      it('that are not there are changed by nothing', async () => {
        const { store } = await opened();
        expect(await store.setRole({ ...ANN, keepsAdmin: true })).toBe(false);
        expect(await store.setPassword(ANN)).toBe(false);
        expect(await store.removeUser({ name: 'ann', keepsAdmin: false })).toBe(false);
        expect(await store.removeToken('crm')).toBe(false);
      });
    });

    describe('a session', () => {
      const session = { hash: 'c1', user: 'ann', createdAt: START, expiresAt: START + 1_000 };

      it('begins only while the password is the one that was checked', async () => {
        const { store } = await opened();
        await store.addUser(ANN);
        expect(await store.addSession({ ...session, passwordAt: START - 1 })).toBe(false);
        expect(await store.addSession({ ...session, user: 'ben', passwordAt: START })).toBe(false);
        expect(await store.addSession({ ...session, passwordAt: START })).toBe(true);
        const found = { user: ANN, expiresAt: START + 1_000 };
        expect(await store.findSession({ hash: 'c1', now: START })).toEqual(found);
        expect(await store.findSession({ hash: 'c1', now: START + 1_000 })).toBeUndefined();
      });

      it('ends when its user gets another password or is removed', async () => {
        const { store } = await opened();
        await store.addUser(ANN);
        await store.addSession({ ...session, passwordAt: START });
        await store.setPassword({ name: 'ANN', password: 'other', changedAt: START + 1 });
        expect(await store.findSession({ hash: 'c1', now: START })).toBeUndefined();
        await store.addSession({ ...session, passwordAt: START + 1 });
        await store.removeUser({ name: 'ann', keepsAdmin: false });
        expect(await store.findSession({ hash: 'c1', now: START })).toBeUndefined();
        expect(await store.endSession('c1')).toBe(false);
      });

      it('that has expired is forgotten when the next begins', async () => {
        const { store } = await opened();
        await store.addUser(ANN);
        await store.addSession({ ...session, passwordAt: START });
        const later = START + 1_000;
        const next = { hash: 'c2', user: 'ann', createdAt: later, expiresAt: later + 1 };
        await store.addSession({ ...next, passwordAt: START });
        expect(await store.endSession('c1')).toBe(false);
      });
    });

    describe('a one-time link', () => {
      it('begins one session however many try at the same time', async () => {
        const { store } = await opened();
        await store.addLink({ hash: 'l1', expiresAt: START + 10, now: START });
        const use = (cookie: string) => {
          const session = { hash: cookie, user: null, createdAt: START, expiresAt: START + 1_000 };
          return store.useLink({ hash: 'l1', session });
        };
        const answers = await Promise.all(['a', 'b', 'c'].map(use));
        expect(answers.filter(Boolean)).toHaveLength(1);
        const sessions = await Promise.all(
          ['a', 'b', 'c'].map((hash) => store.findSession({ hash, now: START })),
        );
        expect(sessions.filter((found) => found !== undefined)).toEqual([
          { user: null, expiresAt: START + 1_000 },
        ]);
      });
    });

    it('an upload is kept until it is removed, the oldest first', async () => {
      const { store } = await opened();
      const upload = {
        id: 'upl_1',
        name: 'leads.csv',
        path: '/srv/u/upl_1',
        bytes: 12,
        at: START,
        machine: 'a',
      };
      const later = { ...upload, id: 'upl_0', at: START + 5, machine: null };
      await store.addUpload(later);
      await store.addUpload(upload);
      expect(await store.uploads()).toEqual([upload, later]);
      expect(await store.findUpload('upl_1')).toEqual(upload);
      expect(await store.removeUpload('upl_1')).toBe(true);
      expect(await store.removeUpload('upl_1')).toBe(false);
      expect(await store.findUpload('upl_1')).toBeUndefined();
    });

    describe('the log', () => {
      async function withEntries() {
        const { store } = await opened();
        const entry = (who: string, what: string, target: string | null, detail = {}) =>
          store.appendLog({ at: START, who, what, target, outcome: 'done', detail });
        await entry('ann', 'campaign.started', 'spring');
        await entry('ben', 'campaign.paused', 'spring', { reason: '100% sure' });
        await entry('token crm', 'campaign.started', 'autumn');
        await entry('ann', 'user.added', 'ben');
        const page = async (query: Partial<LogQuery>) =>
          (await store.logPage({ before: null, limit: 10, ...query })).map(({ id }) => id);
        return { store, page };
      }

      it('is read from the newest, page by page', async () => {
        const { store, page } = await withEntries();
        expect(await page({ limit: 3 })).toEqual([4, 3, 2]);
        expect(await page({ limit: 3, before: 2 })).toEqual([1]);
        expect((await store.logPage({ before: 3, limit: 1 }))[0]).toEqual({
          ...{ id: 2, at: START, who: 'ben', what: 'campaign.paused', target: 'spring' },
          ...{ outcome: 'done', detail: { reason: '100% sure' } },
        });
      });

      it('is searched by who, by what, and by a text in any column, in which no sign is special', async () => {
        const { page } = await withEntries();
        expect(await page({ who: 'ann' })).toEqual([4, 1]);
        expect(await page({ what: 'campaign.started', who: 'token crm' })).toEqual([3]);
        expect(await page({ text: 'SPRING' })).toEqual([2, 1]);
        expect(await page({ text: '100%' })).toEqual([2]);
        expect(await page({ text: '%' })).toEqual([2]);
        expect(await page({ text: '_' })).toEqual([]);
        expect(await page({ text: '' })).toHaveLength(4);
      });

      it('is searched by the words that people read, where they are given with the text', async () => {
        const { page } = await withEntries();
        expect(await page({ text: 'let it be called', kinds: ['campaign.started'] })).toEqual([
          3, 1,
        ]);
      });

      it('is searched from one moment until before another', async () => {
        const { store } = await opened();
        for (const at of [START, START + 5, START + 10])
          await store.appendLog({
            ...{ at, who: 'ann', what: 'user.added', target: 'ben', outcome: 'done', detail: {} },
          });
        const times = async (query: Partial<LogQuery>) =>
          (await store.logPage({ before: null, limit: 10, ...query })).map(({ at }) => at - START);
        expect(await times({ from: START + 5 })).toEqual([10, 5]);
        expect(await times({ to: START + 5 })).toEqual([0]);
        expect(await times({ from: START + 5, to: START + 10 })).toEqual([5]);
      });

      it('says whom and what it names', async () => {
        const { store } = await withEntries();
        expect(await store.logNames()).toEqual({
          who: ['ann', 'ben', 'token crm'],
          what: ['campaign.paused', 'campaign.started', 'user.added'],
        });
      });
    });

    describe('a console that listens', () => {
      const owner = { host: 'srv', boot: 'b1', pid: 7 };
      const here = { url: 'http://127.0.0.1:4281', owner, at: START };

      it('is known until it says that it ended, the newest first', async () => {
        const { store } = await opened();
        const other = { ...here, url: 'http://127.0.0.1:4282', at: START + 1 };
        await store.addListening(here);
        await store.addListening(other);
        expect(await store.listening()).toEqual([other, here]);
        await store.removeListening(other);
        expect(await store.listening()).toEqual([here]);
      });

      it('is known on each machine that has one at the same address', async () => {
        const { store } = await opened();
        const there = { ...here, owner: { ...owner, host: 'other' }, at: START + 1 };
        await store.addListening(here);
        await store.addListening(there);
        expect(await store.listening()).toEqual([there, here]);
        await store.removeListening(there);
        expect(await store.listening()).toEqual([here]);
      });

      it('does not end the one that has taken its place', async () => {
        const { store } = await opened();
        await store.addListening(here);
        const next = { ...here, owner: { ...owner, pid: 8 }, at: START + 1 };
        await store.addListening(next);
        await store.removeListening(here);
        expect(await store.listening()).toEqual([next]);
      });
    });
  });
}

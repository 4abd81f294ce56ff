import { describe, expect, it } from 'vitest';
import {
  announceConsole,
  runningConsole,
  signInAt,
  signInToRunning,
} from '../../../src/app/access/listening.ts';
import { useLink } from '../../../src/app/access/sessions.ts';
import { addUser } from '../../../src/app/access/users.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { anAccess, PASSWORD } from './an-access.ts';

const URL = 'http://127.0.0.1:4281';

describe('a console that runs', () => {
  it('is found by others at its database until it ends', async () => {
    const { store, world } = anAccess();
    const ended = await announceConsole(store, URL, world);
    expect(await runningConsole(store, world)).toBe(URL);
    await ended();
    expect(await runningConsole(store, world)).toBeUndefined();
  });

  it('is not found when its process was killed, and is forgotten by the next one', async () => {
    const { store, world } = anAccess();
    // No process has this pid: it is above the largest that Linux gives.
    const killed = { ...world.owner, pid: 2 ** 22 + 1 };
    await store.addListening({ url: 'http://127.0.0.1:5000', owner: killed, at: 1 });
    expect(await runningConsole(store, world)).toBeUndefined();
    await announceConsole(store, URL, world);
    expect((await store.listening()).map(({ url }) => url)).toEqual([URL]);
  });

  it('lets whoever opens a link in while there is no user, and asks for names then', async () => {
    const { store, world } = anAccess();
    const { link } = await signInAt(store, URL, world);
    const [, text = ''] = /^http:\/\/127\.0\.0\.1:4281\/link\/(\S+)$/.exec(link ?? '') ?? [];
    expect((await useLink(store, { text }, world)).identity.role).toBe('admin');
    await addUser(store, { name: 'ann', role: 'admin', password: PASSWORD }, world);
    expect(await signInAt(store, URL, world)).toEqual({ url: URL, link: null });
  });

  it('is asked for with what to do where there is none, which creates nothing', async () => {
    const cwd = tempFolder();
    await expect(signInToRunning({}, fakeWorld({ cwd }))).rejects.toMatchObject({
      code: 'CONSOLE_NOT_RUNNING',
      hint: expect.stringContaining('`callsheet console`') as string,
    });
  });
});

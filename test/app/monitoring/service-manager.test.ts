import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { managerOf } from '../../../src/app/monitoring/monitor.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { canReceive, hasHelper, notifySocket } from '../../helpers/notify-socket.ts';

const PATH = process.env['PATH'] ?? '';
const manager = (env: Record<string, string>) => managerOf({ env, clock: systemClock });

/** What is said once, as one message. */
const SAID = ['READY=1', 'STATUS=two words; $HOME "and"', 'WATCHDOG=1'];

describe('whether a service manager waits to be told', () => {
  it.each([
    ['there is none', {}],
    ['its socket is not of this machine', { NOTIFY_SOCKET: 'vsock:2:1' }],
    ['its socket has no name', { NOTIFY_SOCKET: '@' }],
  ])('not where %s', (_, env) => {
    expect(manager(env)).toBeNull();
  });
});

describe('telling it by systemd-notify', () => {
  /** A program of this name that writes down its words and its environment. */
  function helper(script: string) {
    const folder = tempFolder();
    const path = join(folder, 'systemd-notify');
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return { folder, PATH: `${folder}${delimiter}${PATH}` };
  }

  it('starts it without a shell, with one word for each assignment and nothing secret', async () => {
    const out = join(tempFolder(), 'said');
    const { PATH: path } = helper(`{ printf '%s\\n' "$@"; env | sort; } > '${out}'`);
    const env = { NOTIFY_SOCKET: '/run/x', PATH: path, VOICE_API_KEY: 'secret' };
    await manager(env)?.(...SAID);
    const { stdout } = await promisify(execFile)('cat', [out]);
    expect(stdout.split('\n').slice(0, 3)).toEqual(SAID);
    expect(stdout).toContain('NOTIFY_SOCKET=/run/x');
    expect(stdout).not.toContain('secret');
  });

  it('says why it could not be told', async () => {
    const { PATH: path } = helper('echo "Connection refused" >&2; exit 1');
    const tell = (PATHS: string) => manager({ NOTIFY_SOCKET: '/run/x', PATH: PATHS })?.(...SAID);
    await expect(tell(path)).rejects.toThrow('systemd-notify: Connection refused');
    await expect(tell(tempFolder())).rejects.toThrow('it could not be started (ENOENT)');
  });

  it.runIf(canReceive && hasHelper).each(['path', 'abstract'])(
    'reaches a real socket with a %s name, as one message',
    async (kind) => {
      const path = join(tempFolder(), 'notify');
      const socket = kind === 'path' ? path : `@${path}`;
      const { told, heard } = await notifySocket(socket);
      await manager({ NOTIFY_SOCKET: socket, PATH })?.(...SAID);
      await heard('READY=1');
      expect(told.map(({ lines }) => lines)).toEqual([SAID]);
    },
  );
});

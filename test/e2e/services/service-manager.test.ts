import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';
import { canReceive, hasHelper, notifySocket } from '../../helpers/notify-socket.ts';

const ARGV = ['serve', '--port', '0', '--service', 'simulated'];

describe('serve under a service manager', () => {
  it.runIf(canReceive && hasHelper)(
    'says that it is ready, that it goes on and that it stops, and ends with 0',
    async () => {
      const at = desk({ PATH: process.env['PATH'] ?? '' });
      const socket = at.path('notify');
      const { told, heard } = await notifySocket(socket);
      const env = { ...at.env, NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' };
      const serving = spawnCallsheet({ cwd: at.cwd, env }, ARGV);
      await heard('READY=1');
      const alive = () => told.filter(({ lines }) => lines.includes('WATCHDOG=1')).length;
      await expect.poll(alive, { timeout: 20_000 }).toBeGreaterThan(2);
      serving.kill('SIGTERM');
      await heard('STOPPING=1');
      expect((await serving.ended).code).toBe(0);
      expect(serving.output.err).not.toContain('could not be told');
    },
  );

  it('says what is missing where the manager cannot be told, and goes on', async () => {
    const at = desk({ PATH: '/nowhere' });
    const env = { ...at.env, NOTIFY_SOCKET: join(at.cwd, 'nobody') };
    const serving = spawnCallsheet({ cwd: at.cwd, env }, ARGV);
    await serving.written('The service manager could not be told');
    serving.kill('SIGTERM');
    const { code, err } = await serving.ended;
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('systemd-notify: it could not be started (ENOENT)') as string,
    });
  });
});

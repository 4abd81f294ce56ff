import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { desk } from '../../helpers/callsheet.ts';
import { SECRET, send } from '../../helpers/services/webhooks.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';

const LANES = 16;
const ENOUGH = 200;

describe('a receiver that is killed under load', () => {
  it('has lost no delivery that it acknowledged', async () => {
    const at = desk({ VOICE_API_KEY: 'k', VOICE_WEBHOOK_SECRET: SECRET });
    const serve = spawnCallsheet(at, [
      ...['serve', '--db', 'a.db', '--port', '0', '--service-url', 'http://127.0.0.1:9'],
    ]);
    await serve.written('Webhooks of');
    const url = /go to (\S+) \(/.exec(serve.output.err)?.[1] ?? '';
    const acknowledged: string[] = [];
    let sent = 0;
    const lane = async () => {
      for (;;) {
        const id = `evt_${(sent += 1)}`;
        try {
          const { status } = await send(
            url,
            { type: 'call.finished', data: { call_id: id } },
            { id },
          );
          if (status === 200) acknowledged.push(id);
        } catch {
          return;
        }
        if (acknowledged.length === ENOUGH) serve.kill('SIGKILL');
      }
    };

    await Promise.all(Array.from({ length: LANES }, lane));
    expect((await serve.ended).signal).toBe('SIGKILL');

    const store = openSqliteStore({ path: join(at.cwd, 'a.db'), mode: 'read' });
    const kept = await store.listDeliveries({ state: null, service: null, limit: 100_000 });
    await store.close();
    const keys = new Set(kept.map(({ key }) => key));
    expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);
    expect(acknowledged.filter((id) => !keys.has(id))).toEqual([]);
  });
});

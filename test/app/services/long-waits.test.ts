import { describe, expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { hostileService, plain } from '../../helpers/services/hostile-service.ts';
import { until } from '../../helpers/until.ts';

const FLAGS = ['--agent', 'ag_1', '--rules', 'always'];

describe('a service that hangs', () => {
  it.each([
    ['doctor', ['doctor']],
    ['agents list', ['agents', 'list']],
    ['run, before it calls', ['run', 'leads.csv', '--wait', '1s', ...FLAGS]],
  ])('is told of after 3 s and given up after two tries of 10 s by %s', async (_what, argv) => {
    const service = await hostileService((asked) => ({ ...plain(asked), malice: 'hangs' }));
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'key' });
    at.write('leads.csv', 'phone\n+12125550101\n');
    const clock = new VirtualClock();
    const { io, ended } = at.begin([...argv, '--db', 'a.db'], { clock });
    await until(() => service.asked.length === 1);
    await clock.advance(2_999);
    expect(io.err()).not.toContain('Waiting');
    await clock.advance(1);
    expect(io.err()).toContain(
      `Waiting for ${service.url} (list of agents), 3 s so far; Ctrl-C leaves.`,
    );
    await clock.advance(8_000);
    await until(() => service.asked.length === 2);
    await clock.advance(10_000);
    const { out, err, code } = await ended;
    expect(err).toContain('(list of agents), 13 s so far');
    expect(out + err).toContain(`GET ${service.url}/v1/agents: nothing was answered within 10 s.`);
    expect(code).toBe(1);
    expect(clock.monotonic()).toBe(21_000);
  });
});

import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../src/runtime/clock.ts';
import { desk } from '../../helpers/callsheet.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { aPhone } from '../../helpers/factory.ts';

const DAY_MS = 86_400_000;
const FLAGS = ['--agent', AGENT, '--set', 'suppression.maxAge=31d', '--rules', 'always'];
const DB = ['--db', 'data/callsheet.db'];

/** A clock that shows forty days more from some moment on. */
function movedOn(clock: Clock, isLater: () => boolean): Clock {
  return { ...clock, now: () => clock.now() + (isLater() ? 40 * DAY_MS : 0) };
}

async function aDesk() {
  const service = await simulatedService({ timeScale: 600 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  at.write('leads.csv', `phone\n${aPhone(0)}\n${aPhone(1)}\n${aPhone(2)}\n`);
  at.write('212.txt', '212,5550199\n');
  const load = async (clock: Clock) => {
    const day = new Date(clock.now() - 3 * DAY_MS).toISOString().slice(0, 10);
    const argv = ['suppress', 'import', '212.txt', '--as-of', day, ...DB];
    expect((await at.run(argv, { clock })).code).toBe(0);
  };
  await load(systemClock);
  return { at, service, load };
}

describe('a suppression list that grows too old', () => {
  it('ends the calls of a run that is at work, which says what to do', async () => {
    const { at, service } = await aDesk();
    const clock = movedOn(hastyClock(20), () => service.ledger().length > 0);
    const run = ['run', 'leads.csv', ...FLAGS, '--concurrency', '1'];
    const { code, err } = await at.run(run, { clock });
    expect(service.ledger()).toHaveLength(1);
    expect(code).toBe(5);
    expect(err).toContain(
      'the suppression list is older than suppression.maxAge or a rule allows, so no more calls are made; 2 leads wait. `npx callsheet suppress import FILE --as-of DAY` brings in a newer one',
    );
  });

  it('is told by serve, which calls nobody until a newer one is there', async () => {
    const { at, service, load } = await aDesk();
    expect((await at.run(['import', 'spring', 'leads.csv', ...FLAGS])).code).toBe(0);
    expect((await at.run(['resume', 'spring'])).code).toBe(0);
    const clock = movedOn(hastyClock(20), () => true);
    const serve = ['serve', '--port', '0', '--service-url', service.url];
    const { io, ended } = at.begin(serve, { clock });
    await io.written('spring: The newest dated file of the suppression list is of ');
    expect(io.err()).toContain(
      'so nobody is called. `npx callsheet suppress import FILE --as-of DAY` brings in a newer one, and calling goes on.',
    );
    expect(service.ledger()).toEqual([]);
    await load(clock);
    await io.written('completed; results:');
    io.signal();
    await ended;
    expect(service.ledger()).toHaveLength(3);
  });
});

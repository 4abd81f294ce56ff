import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../helpers/callsheet.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { talked } from '../../../helpers/services/voice-server.ts';
import { aDesk, PHONES, RUN } from '../desk.ts';

const RETRY = ['--set', 'retry.attempts=3', '--set', 'retry.after.no_answer=1m'];

/** A run whose three calls end without a readable result. */
async function withoutResults() {
  const { at, service } = await aDesk({ analytics: () => ({ body: { strange: true } }) });
  const clock = hastyClock(20);
  const run = (...argv: string[]) => at.run(argv, { clock });
  await run(...RUN, '--set', 'polling.deadline=1s', ...RETRY);
  service.asked.length = 0;
  const asked = () => service.asked.filter(({ path }) => path.endsWith('/analytics')).length;
  const results = async () => {
    await run('export', 'leads', '-o', 'out.csv', '--force');
    return rowsOf(at.read('out.csv')).map((row) => row['call_result']);
  };
  return { at, service, run, asked, results };
}

describe('calls without a result', () => {
  it('are asked for again by collect, and what the service has replaces no_result', async () => {
    const { at, service, run, results } = await withoutResults();
    expect(await results()).toEqual(['no_result', 'no_result', 'no_result']);
    await run('export', 'leads', '--since-last', '-o', 'first.csv');
    service.behave({ analytics: (_, phone) => ({ body: talked(phone) }) });

    expect((await run('collect', 'leads')).code).toBe(0);

    expect(await results()).toEqual(['answered', 'answered', 'answered']);
    const status = JSON.parse((await run('status', 'leads', '--json')).out) as object;
    expect(status).toMatchObject({ dials: { made: 3, refused: 0, inDoubt: 0 } });
    await run('export', 'leads', '--since-last', '-o', 'second.csv');
    expect(rowsOf(at.read('second.csv'))).toHaveLength(3);
    expect(service.dialled).toHaveLength(3);
  });

  it('are found by collect without a name, and call nobody again, whatever the late result is', async () => {
    const { service, run, results } = await withoutResults();
    service.behave({ analytics: () => ({ body: { status: 'no_answer' } }) });

    await run('collect');
    await run('run', 'leads');

    expect(await results()).toEqual(['no_answer', 'no_answer', 'no_answer']);
    expect(service.dialled).toEqual(PHONES);
  });

  it('are asked for at most once an hour for a week, and by --all always', async () => {
    const { run, asked } = await withoutResults();
    const collected: number[] = [];
    for (const more of [[], [], ['--all']]) {
      const before = asked();
      await run('collect', 'leads', ...more);
      collected.push(asked() - before);
    }
    expect(collected).toEqual([3, 0, 3]);
  });
});

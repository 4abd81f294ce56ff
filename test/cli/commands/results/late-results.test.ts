import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../helpers/callsheet.ts';
import { talked } from '../../../helpers/services/voice-server.ts';
import { aDesk, json, PHONES, RUN } from '../desk.ts';

const RETRY = ['--set', 'retry.attempts=3', '--set', 'retry.after.no_answer=1m'];

/** A run whose three calls end without a readable result, and a clock that the test moves. */
async function withoutResults() {
  const { at, service } = await aDesk({ analytics: () => ({ body: { strange: true } }) });
  await at.run([...RUN, '--set', 'polling.deadline=1s', ...RETRY]);
  service.asked.length = 0;
  const asked = () => service.asked.filter(({ path }) => path.endsWith('/analytics')).length;
  return { at, service, asked };
}

async function resultsOf(at: Awaited<ReturnType<typeof aDesk>>['at']) {
  await at.run(['export', 'leads', '-o', 'out.csv', '--force']);
  return rowsOf(at.read('out.csv')).map((row) => row['call_result']);
}

describe('calls without a result', () => {
  it('are asked for again by collect, and what the service has replaces no_result', async () => {
    const { at, service } = await withoutResults();
    expect(await resultsOf(at)).toEqual(['no_result', 'no_result', 'no_result']);
    await at.run(['export', 'leads', '--new', '-o', 'first.csv']);
    service.behave({ analytics: (_, phone) => ({ body: talked(phone) }) });

    expect((await at.run(['collect', 'leads'])).code).toBe(0);

    expect(await resultsOf(at)).toEqual(['answered', 'answered', 'answered']);
    expect(await json(at, ['status', 'leads'])).toMatchObject({
      results: { answered: 3 },
      dials: { made: 3, refused: 0, inDoubt: 0, notMade: 0 },
    });
    await at.run(['export', 'leads', '--new', '-o', 'second.csv']);
    expect(rowsOf(at.read('second.csv'))).toHaveLength(3);
    expect(service.dialled).toHaveLength(3);
  });

  it('are found by collect without a name, too', async () => {
    const { at, service } = await withoutResults();
    service.behave({ analytics: (_, phone) => ({ body: talked(phone) }) });

    await at.run(['collect']);

    expect(await resultsOf(at)).toEqual(['answered', 'answered', 'answered']);
  });

  it('call nobody again, whatever the late result is', async () => {
    const { at, service } = await withoutResults();
    service.behave({ analytics: () => ({ body: { status: 'no_answer' } }) });

    await at.run(['collect', 'leads']);
    await at.run(['run', 'leads']);

    expect(await resultsOf(at)).toEqual(['no_answer', 'no_answer', 'no_answer']);
    expect(service.dialled).toEqual(PHONES);
  });

  it('are asked for at most once an hour for a week, and by --all always', async () => {
    const { at, asked } = await withoutResults();
    const collect = async (...more: string[]) => {
      const before = asked();
      await at.run(['collect', ...more]);
      return asked() - before;
    };

    expect(await collect('leads')).toBe(3);
    expect(await collect('leads')).toBe(0);
    expect(await collect('leads', '--all')).toBe(3);
  });
});

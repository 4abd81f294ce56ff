import { describe, expect, it } from 'vitest';
import { aDesk, json, PHONES, RUN } from '../desk.ts';

describe('a campaign whose budget is used up', () => {
  it('ends its run with 3 and the next night, and status says how much is used', async () => {
    const { at, service } = await aDesk();

    const { code, err } = await at.run([...RUN, '--set', 'stop.calls=2']);

    expect(code).toBe(3);
    expect(err).toMatch(
      /Tonight's budget of 2 calls is used up \(stop\.calls\); goes on with the next night, \w{3} \d{4}-\d\d-\d\d\. 1 lead waits;/,
    );
    expect(service.dialled).toHaveLength(2);
    expect((await at.run(['explain', '--calls', PHONES[2] ?? ''])).out).toContain(
      "not called now: tonight's budget of 2 calls is used up (stop.calls)",
    );
    expect((await at.run(['explain', '--calls', PHONES[0] ?? ''])).out).not.toContain('budget');
    const status = await at.run(['status', 'leads']);
    expect(status.err).toMatch(/\nNight of \d{4}-\d\d-\d\d: 2 of 2 calls\.\n/);
    expect(await json(at, ['status', 'leads'])).toMatchObject({
      budget: {
        tonight: { calls: 2, open: 0 },
        more: 0,
        limit: { by: 'stop.calls', until: 'night' },
        goesOnAt: expect.stringMatching(/T05:00:00/) as string,
      },
      serviceSlots: [],
    });
  });

  it('for good ends its run with 5, and goes on once somebody has set another one', async () => {
    const { at, service } = await aDesk();

    const { code, err } = await at.run([...RUN, '--set', 'stop.total.calls=1']);

    expect(code).toBe(5);
    expect(err).toContain(
      "A person is needed: the campaign's budget of 1 call is used up (stop.total.calls); `npx callsheet set leads stop.total.calls=...` sets another one, stop.total.calls=none takes it away. 2 leads wait.",
    );
    await at.run(['set', 'leads', 'stop.total.calls=none']);
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled).toHaveLength(3);
  });

  it('of money is used to within one call, though the first calls were short and dear', async () => {
    const { at, service } = await aDesk({
      analytics: () => ({ body: { ...CALLED, duration: 2, cost: 0.12 } }),
    });
    at.write('many.csv', `phone\n${people(40)}`);

    const { code, err } = await at.run([
      ...['run', 'many.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'],
      ...['--set', 'stop.cost=4 EUR'],
    ]);

    // 0.12 a minute begun: a call of 15 minutes may cost 1.80.
    expect(code).toBe(3);
    expect(err).toContain("Tonight's budget of 4 EUR leaves 1.72, and a call may cost 1.8");
    expect(service.dialled).toHaveLength(19);
    expect((await at.run(['status', 'many'])).err).toContain(': 2.28 of 4 EUR.');
  });

  it('of money in exact decimals', async () => {
    const { at, service } = await aDesk({
      analytics: () => ({ body: { ...CALLED, duration: 60, cost: 0.2 } }),
    });
    at.write('many.csv', `phone\n${people(6)}`);

    await at.run([
      ...['run', 'many.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'],
      ...['--set', 'stop.cost=0.6 EUR', '--set', 'longestCall=1m'],
    ]);

    expect(service.dialled).toHaveLength(3);
  });
});

const CALLED = { status: 'completed', transcript: 'agent: Hello.\nuser: Yes.' };

function people(count: number): string {
  return Array.from({ length: count }, (_, i) => `+121255501${String(i).padStart(2, '0')}`).join(
    '\n',
  );
}

import { describe, expect, it, onTestFinished } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import type { Trouble } from '../../helpers/providers/provider.ts';
import { startProvider } from '../../helpers/providers/start.ts';

const LEADS = 6;
const PHONES = Array.from({ length: LEADS }, (_, n) => aPhone(n));
const IN_TROUBLE = aPhone(2);

/** A list of six people, one of them without a name, of whom one meets trouble while there is any. */
async function aDesk(trouble: { now: Trouble | null; times: number } = { now: null, times: 0 }) {
  const provider = await startProvider('synthflow', {
    callMs: 20,
    lagMs: 10,
    trouble: (phone, nth) => (phone === IN_TROUBLE && nth < trouble.times ? trouble.now : null),
  });
  onTestFinished(() => provider.close());
  const at = desk({ VOICE_API_URL: provider.url, VOICE_API_KEY: provider.key });
  const lines = PHONES.map((phone, n) => `${phone},${n === 0 ? '' : `Ana ${n}`},Ruiz`);
  at.write('leads.csv', `phone,First name,Last name\n${lines.join('\n')}\n`);
  const flags = ['--profile', 'synthflow', '--agent', provider.agent, '--concurrency', '1'];
  const argv = ['run', 'leads.csv', ...flags, '-o', 'out.csv', '--set', 'polling.floor=20ms'];
  return {
    provider,
    run: () => at.run(argv, { clock: hastyClock(20) }),
    rows: () => rowsOf(at.read('out.csv')),
  };
}

describe('a run with Synthflow', () => {
  it('greets everybody by name, and its results are those of the ledger', async () => {
    const { provider, run, rows } = await aDesk();
    expect((await run()).code).toBe(0);
    const ledger = new Map(provider.ledger().map((call) => [call.phone, call]));
    expect(ledger.get(aPhone(1))?.metadata['name']).toBe('Ana 1 Ruiz');
    expect(ledger.get(aPhone(1))?.variables).toMatchObject({ 'First name': 'Ana 1' });
    for (const row of rows()) {
      const call = ledger.get(row['call_phone'] ?? '');
      expect(row).toMatchObject({ call_id: call?.callId, call_result: call?.outcome });
    }
    expect(provider.invalid()).toEqual([]);
  });

  it('dials again who was taken and not called for want of a free line', async () => {
    const { provider, run, rows } = await aDesk({ now: 'ended_full', times: 2 });
    expect((await run()).code).toBe(0);
    const dials = provider.ledger().filter(({ phone }) => phone === IN_TROUBLE);
    expect(dials.map(({ rang }) => rang)).toEqual([false, false, true]);
    const row = rows().find((each) => each['call_phone'] === IN_TROUBLE);
    expect(row).toMatchObject({ call_id: dials[2]?.callId, call_result: dials[2]?.outcome });
  });

  it('pauses when the minutes are used up, and goes on once there are more', async () => {
    const { provider, run, rows } = await aDesk({ now: 'ended_unpaid', times: 1 });
    const paused = await run();
    expect(paused.code).toBe(5);
    expect(paused.err).toContain('Insufficient Minutes');
    expect((await run()).code).toBe(0);
    const rang = provider.ledger().filter((call) => call.rang);
    expect(rang.map(({ phone }) => phone).toSorted()).toEqual(PHONES);
    expect(rows()).toHaveLength(LEADS);
    for (const row of rows()) {
      const call = rang.find(({ phone }) => phone === row['call_phone']);
      expect(row).toMatchObject({ call_id: call?.callId, call_result: call?.outcome });
    }
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { startProvider } from '../../../helpers/providers/start.ts';

describe('an account of 41 personas, whose service tells 20 a page and numbers none', () => {
  const anAccount = async () => {
    const provider = await startProvider('bland', { agentCount: 41 });
    onTestFinished(() => provider.close());
    const { url, key } = provider;
    const at = desk({ VOICE_API_URL: url, VOICE_API_KEY: key });
    const { out } = await at.run(['agents', 'list', '--profile', 'bland', '--json']);
    const { items, complete } = JSON.parse(out) as { items: { id: string }[]; complete: boolean };
    return { provider, at, ids: items.map(({ id }) => id), complete };
  };

  it('lists them all', async () => {
    const { ids, complete } = await anAccount();
    expect([new Set(ids).size, complete]).toEqual([41, true]);
  });

  it('calls with the last of them', async () => {
    const { provider, at, ids } = await anAccount();
    const last = ids.at(-1) ?? '';
    at.write('leads.csv', `name,phone\nAl,${aPhone(1)}\n`);
    const run = ['run', 'leads.csv', '--profile', 'bland', '--agent', last];
    const { code } = await at.run([...run, '--set', 'polling.floor=20ms']);
    expect(code).toBe(0);
    expect(provider.ledger()).toMatchObject([{ phone: aPhone(1), agentId: last }]);
  });
});

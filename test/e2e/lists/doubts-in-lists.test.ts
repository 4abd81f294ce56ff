import { describe, expect, onTestFinished, test } from 'vitest';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { lossyProxy, type OnTheWay } from '../../helpers/services/lossy-proxy.ts';
import { uuid } from '../../helpers/providers/book.ts';
import type { Provider } from '../../helpers/providers/provider.ts';
import { startProvider } from '../../helpers/providers/start.ts';

const PHONES = Array.from({ length: 20 }, (_, n) => aPhone(n));
const FASTER = 40;
/** Providers whose list of calls holds our key: how a call is dialled there, and how they are listed. */
const PROVIDERS = {
  vapi: { dial: 'POST /call', list: 'GET /call' },
  retell: { dial: 'POST /v2/create-phone-call', list: 'POST /v3/list-calls' },
  ultravox: { dial: `POST /api/agents/${uuid('ultravox agent', 0)}/calls`, list: 'GET /api/calls' },
} as const;
type Name = keyof typeof PROVIDERS;
const NAMES = Object.keys(PROVIDERS) as Name[];

describe('against a provider that loses one answer in twenty, and lists its calls with our keys', () => {
  test.each(NAMES)('%s: nobody is left in doubt, and nobody rings twice', async (name) => {
    const { at, run, provider, lists } = await aDesk(name, (request, nth) =>
      request === PROVIDERS[name].dial && nth === 11 ? 'answer lost' : 'passes',
    );

    const ended = await run(PHONES);

    expect(ended.err).toContain("is in the service's list of calls");
    expect(ended).toMatchObject({
      code: 0,
      err: expect.stringContaining('Every lead is final.') as string,
    });
    const ledger = new Map(provider.ledger().map((call) => [call.phone, call]));
    expect([ledger.size, provider.ledger().length]).toEqual([PHONES.length, PHONES.length]);
    const rows = rowsOf(at.read('out.csv'));
    expect(rows.map((row) => [row['call_id'], row['call_result']])).toEqual(
      PHONES.map((phone) => [ledger.get(phone)?.callId, ledger.get(phone)?.outcome]),
    );
    expect(lists()).toBeGreaterThan(0);
    expect(lists()).toBeLessThanOrEqual(4);
    expect(provider.invalid()).toEqual([]);
  });

  test('what a run could not find out is found by collect, which dials nobody', async () => {
    let isDown = true;
    const { run, collect, provider, lists } = await aDesk('vapi', (request, nth) => {
      if (request === PROVIDERS.vapi.list && isDown) return 'unavailable';
      return request === PROVIDERS.vapi.dial && nth === 1 ? 'answer lost' : 'passes';
    });
    const ended = await run(PHONES.slice(0, 4));
    expect(ended.code).toBe(5);
    expect(provider.ledger()).toHaveLength(4);
    expect(lists()).toBe(0);
    isDown = false;

    const collected = await collect();

    expect(collected).toMatchObject({
      code: 0,
      err: expect.stringContaining('Every lead is final.') as string,
    });
    expect(lists()).toBe(1);
    expect(provider.ledger()).toHaveLength(4);
  });
});

interface Scene {
  at: Desk;
  /** Calls these people; the time passes faster, for the provider as well. */
  run: (phones: readonly string[]) => ReturnType<Desk['run']>;
  /** `collect` of them. */
  collect: () => ReturnType<Desk['run']>;
  provider: Provider;
  /** How often the list of calls was read, a page each. */
  lists: () => number;
}

async function aDesk(name: Name, meet: (request: string, nth: number) => OnTheWay): Promise<Scene> {
  const clock = hastyClock(FASTER);
  const provider = await startProvider(name, { clock, callMs: 2_000, lagMs: 500 });
  onTestFinished(() => provider.close());
  const { url } = await lossyProxy(provider.url, meet);
  const at = desk({ VOICE_API_KEY: provider.key });
  at.write(
    'services.yaml',
    `main: { url: '${url}', profile: ${name}, keyEnv: VOICE_API_KEY, from: '${provider.from}' }\n`,
  );
  // So few calls at once that none is looked at in a list: every list is read for doubts.
  const run = (phones: readonly string[]) => {
    at.write('leads.csv', `phone\n${phones.join('\n')}\n`);
    return at.run(
      [
        ...['run', 'leads.csv', '--agent', provider.agent, '-o', 'out.csv', '--service', 'main'],
        ...['--services', 'services.yaml', '--concurrency', '3', '--db', 'calls.db'],
      ],
      { clock },
    );
  };
  const collect = () =>
    at.run(['collect', 'leads', '--services', 'services.yaml', '--db', 'calls.db'], { clock });
  const { list } = PROVIDERS[name];
  const lists = () =>
    provider.requests().filter((each) => each.replace(/\?.*/, '') === list).length;
  return { at, run, collect, provider, lists };
}

import { describe, expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';

const KEY = 'sk-live-4f9a2b';
const PHONE = '+12125550100';

/** The operator's own service, another one that a file wants to be called, and a key in the environment. */
async function twoServices(env: (own: string) => Record<string, string>) {
  const own = await voiceServer();
  const other = await voiceServer();
  const at = desk({ VOICE_API_KEY: KEY, ...env(own.url) });
  at.write('leads.csv', `phone\n${PHONE}\n`);
  const spring = (service: string) =>
    at.write(
      'spring.yaml',
      `agent: ag_1\nleads: leads.csv\nservice: ${service}\npolling: { floor: 20ms }\n`,
    );
  const words = async (argv: string[]) => {
    const { code, out, err } = await at.run(argv);
    return { code, said: (out + err).replaceAll(/\s+/g, ' ') };
  };
  return { own, other, at, spring, words };
}

describe('a campaign file with an address of its own', () => {
  it.each(['run', 'check', 'resume'])('gets no key of another address: %s', async (command) => {
    const { other, own, at, spring, words } = await twoServices((url) => ({ VOICE_API_URL: url }));
    spring(`{ url: "${other.url}" }`);
    const { code, said } = await words([command, 'spring.yaml']);
    expect(code).toBe(2);
    expect(said).toContain(
      `Service ${other.url} (spring.yaml:3) is not asked: VOICE_API_KEY belongs to ${own.url} (VOICE_API_URL) and is sent nowhere else.`,
    );
    expect(said).toContain('next: put the service into campaigns/services.yaml');
    expect([other.asked, own.asked, at.has('data')]).toEqual([[], [], false]);
  });

  it('gets no key of which nobody has said whose it is, and is called once somebody has', async () => {
    const { other, at, spring, words } = await twoServices(() => ({ MAIN_KEY: 'main-key-1' }));
    spring(`{ url: "${other.url}" }`);
    const refused = await words(['run', 'spring.yaml']);
    expect(refused.said).toContain(
      'VOICE_API_KEY may not go there: the address comes from a campaign file',
    );
    expect([refused.code, other.asked]).toEqual([2, []]);
    at.write('services.yaml', `main: { url: "${other.url}", keyEnv: MAIN_KEY }\n`);
    spring('main');
    const called = await words(['run', 'spring.yaml', '--services', 'services.yaml']);
    expect([called.code, other.dialled]).toEqual([0, [PHONE]]);
    expect(new Set(other.asked.map(({ key }) => key))).toEqual(new Set(['Bearer main-key-1']));
  });
});

it('an entry of services.yaml that names no key gets none of another address, whoever asks', async () => {
  const { other, at, words } = await twoServices((url) => ({ VOICE_API_URL: url }));
  at.write('services.yaml', `main: { url: "${other.url}" }\n`);
  const main = ['--service', 'main', '--services', 'services.yaml'];
  for (const argv of [
    ['doctor'],
    ['agents', 'list'],
    ['agents', 'show', 'ag_1'],
    ['call', PHONE, '--agent', 'ag_1'],
    ['run', 'leads.csv', '--agent', 'ag_1'],
    ['check', 'leads.csv', '--agent', 'ag_1'],
  ]) {
    const { code, said } = await words([...argv, ...main]);
    expect(code).toBe(2);
    expect(said).toContain(`Service main at ${other.url} is not asked: VOICE_API_KEY belongs to`);
    expect(said).toMatch(/give the service a `keyEnv` of its own in services.yaml/i);
  }
  expect(other.asked).toEqual([]);
});

it('an answer that leads to another address takes no key there', async () => {
  const { own, other, words } = await twoServices((url) => ({ VOICE_API_URL: url }));
  const elsewhere = {
    location: `${other.url}/v1/agents`,
    link: `<${other.url}/v1/agents>; rel="next"`,
  };
  for (const status of [200, 301, 302, 307, 308]) {
    own.behave({
      agents: () => ({
        status,
        headers: elsewhere,
        body: { data: [{ id: 'ag_1' }], next: `${other.url}/v1/agents?page=2` },
      }),
    });
    await words(['agents', 'list']);
  }
  expect(own.asked).toHaveLength(5);
  expect(other.asked).toEqual([]);
});

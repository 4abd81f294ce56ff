import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import { until } from '../../../helpers/until.ts';
import { voiceServer, type Behaviour } from '../../../helpers/services/voice-server.ts';

const aDesk = async (behaviour: Behaviour = {}) => {
  const service = await voiceServer(behaviour);
  return { at: desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' }), service };
};
const CALL = ['call', '+12125550123', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
const statesOf = async (at: Desk) => (await at.run(['list'])).out;

describe('call', () => {
  it('places one call, waits, and prints transcript, duration and sentiment', async () => {
    const { at, service } = await aDesk();
    const { code, out, err } = await at.run(CALL);
    expect(code).toBe(0);
    expect(err).toBe('Calling +12125550123 ...\n');
    expect(out).toBe(
      'result: answered (derived)\ncall: call-1\nduration: 12.5 s\nsentiment: positive\n\n  agent: Hello +12125550123.\n  person: Hello.\n',
    );
    expect(service.dialled).toEqual(['+12125550123']);
    // Outside campaigns: recorded, and not listed.
    expect(await statesOf(at)).toBe('');
    const json = await at.run([...CALL, '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ phone: '+12125550123', result: 'answered' });
    expect(service.dialled).toHaveLength(2);
  });

  it.each([
    ['refused for good', { status: 422, body: { message: 'no such number' } }, 5, 'HTTP 422'],
    ['refused for its key', { status: 401, body: 'bad key' }, 4, 'HTTP 401'],
  ])('says that nobody was called when it is %s', async (_, answer, code, why) => {
    const { at } = await aDesk({ dial: () => answer });
    const ended = await at.run(CALL);
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(/Nobody was called: .*\. Mend that and call again\.\n$/);
    expect(ended.err).toContain(why);
  });

  it('says when it is not known whether the call was made', async () => {
    const { at } = await aDesk({ dial: () => ({ status: 503, body: 'busy' }) });
    const ended = await at.run(CALL);
    expect(ended.code).toBe(5);
    expect(ended.err).toContain('It is not known whether the call was made; look it up');
  });

  it('interrupted names the command that brings the call in, which works', async () => {
    const { at, service } = await aDesk({ analytics: () => ({ status: 409, body: {} }) });
    const { io, ended } = at.begin(CALL);
    await until(() => service.asked.some(({ path }) => path.endsWith('/analytics')));
    io.signal();
    await io.written('Stopping');
    io.signal();
    expect((await ended).code).toBe(130);
    const collect = /`npx (callsheet collect '[^']+')`/.exec(io.err())?.[1] ?? '';
    const name = /'([^']+)'/.exec(collect)?.[1] ?? '';
    service.behave({});
    const collected = await at.run(['collect', name]);
    expect(collected.code).toBe(0);
    expect(collected.out).toContain('result: answered (derived)\ncall: call-1\n');
    expect(at.has('data/results')).toBe(false);
  });
});

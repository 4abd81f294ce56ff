import { expect, onTestFinished, test } from 'vitest';
import { createVoiceService } from '../../../src/service/voice-service.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import type { ProviderOptions } from '../../helpers/providers/provider.ts';
import { startProvider } from '../../helpers/providers/start.ts';
import { builtIn } from './table.ts';

const PROFILE = builtIn('vapi');

async function connected(options: ProviderOptions = {}, from?: string) {
  const clock = new VirtualClock();
  const provider = await startProvider('vapi', { ...options, clock });
  const service = createVoiceService({
    name: 'main',
    url: provider.url,
    key: provider.key,
    from: from ?? provider.from,
    profile: PROFILE,
    clock,
    random: () => 0.5,
  });
  onTestFinished(async () => {
    await service.close();
    await provider.close();
  });
  const dial = (n: number, agent = provider.agent) => {
    const attemptKey = `att_${String(n).padStart(32, '0')}`;
    const variables = { name: 'Ana' };
    return service.startCall({ attemptKey, phone: aPhone(n), agent, variables }, () => true);
  };
  return { clock, provider, service, dial };
}

test('every request is one that the published schema allows', async () => {
  const { clock, provider, service, dial } = await connected({ agentCount: 130 });
  await service.createAgent({ name: 'Renewals', systemPrompt: 'Be kind.' });
  const voice = { provider: '11labs', voiceId: 'sarah' };
  const made = await service.createAgent({ name: 'Voiced', systemPrompt: 'Be kind.', voice });
  const { agents, complete } = await service.listAgents();
  expect({ complete, count: agents.length }).toEqual({ complete: true, count: 132 });
  expect(agents.map(({ id }) => id)).toContain(made.id);
  const answer = await dial(0);
  expect(answer).toMatchObject({ kind: 'placed' });
  await clock.advance(1_000);
  const listed = await service.callList?.read({ since: clock.now() - 3_600_000 });
  expect(listed).toMatchObject({ kind: 'listed' });
  expect(JSON.stringify(listed)).toContain(`att_${'0'.repeat(32)}`);
  expect(await service.probe()).toEqual({ ok: true });
  expect(provider.invalid()).toEqual([]);
});

test('a request that the schema does not allow is told', async () => {
  const { provider, service } = await connected();
  const tooLong = { name: 'N'.repeat(41), systemPrompt: 'Be kind.' };
  await expect(service.createAgent(tooLong)).rejects.toMatchObject({ code: 'SERVICE_REFUSED' });
  expect(provider.invalid()).toHaveLength(1);
});

test('a dial pauses for a calling number that is none and for an assistant that is not there', async () => {
  const { dial } = await connected({}, '+12125550199');
  expect(await dial(0)).toMatchObject({ kind: 'rejected', pause: true });
  const { dial: dialRight, service } = await connected();
  expect(await dialRight(0, 'assistant')).toMatchObject({ kind: 'rejected', pause: true });
  const strange = '4a170597-a0c2-4657-8c32-cb93f080cead';
  expect(await dialRight(0, strange)).toMatchObject({ kind: 'rejected', pause: true });
  expect((await service.listAgents()).agents).toHaveLength(3);
});

test('a dial waits where all lines are busy', async () => {
  const { dial } = await connected({ capacity: 1 });
  expect(await dial(0)).toMatchObject({ kind: 'placed' });
  expect(await dial(1)).toMatchObject({ kind: 'refused' });
});

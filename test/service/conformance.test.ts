import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { createVoiceService } from '../../src/service/voice-service.ts';
import type { VoiceServiceOptions } from '../../src/service/voice-service.ts';
import type { VoiceService } from '../../src/service/port.ts';
import { loadProfile, type Profile } from '../../src/service/profile/profile.ts';
import { serviceConformance } from '../conformance/service.ts';
import { Night } from '../helpers/night.ts';
import { PROVIDERS } from '../helpers/providers/provider.ts';
import { startProvider } from '../helpers/providers/start.ts';
import { someAgent } from '../helpers/factory.ts';
import { ServiceDouble } from '../helpers/services/service-double.ts';
import { AGENT, KEY, simulatedService } from '../helpers/services/simulated-service.ts';

/** Longer than any call and its analytics. */
const LONG_MS = 3_600_000;
const CAPACITY = 2;

serviceConformance('the embedded one, over HTTP', async () => {
  const { clock, goOn } = aClockToMove();
  const simulator = await simulatedService({ capacity: CAPACITY, timeScale: 1, clock });
  const open = (key: string) => connect('voice-agent', { name: 'main', url: simulator.url, key });
  return {
    service: open(KEY),
    withWrongKey: open('wrong-key'),
    agent: AGENT,
    capacity: CAPACITY,
    rang: () =>
      simulator
        .ledger()
        .flatMap(({ phone_number: phone, rings }) =>
          rings.map((ring) => ({ phone, callId: ring.call_id })),
        )
        .toSorted((a, b) => (a.phone < b.phone ? -1 : 1)),
    end: goOn,
    pass: (answer) => answer,
  };
});

for (const name of PROVIDERS) {
  serviceConformance(`spoken to by the profile ${name}`, async () => {
    const { clock, goOn } = aClockToMove();
    const provider = await startProvider(name, { capacity: CAPACITY, clock, callMs: 60_000 });
    onTestFinished(() => provider.close());
    const { url, key, from, ids } = provider;
    const wrong = key.includes(':') ? `${key.split(':')[0] ?? ''}:wrong` : 'wrong-key';
    return {
      service: connect(name, { name, url, key, from, ids }),
      withWrongKey: connect(name, { name, url, key: wrong, from, ids }),
      agent: provider.agent,
      capacity: CAPACITY,
      rang: () => provider.ledger(),
      end: goOn,
      pass: (answer) => answer,
    };
  });
}

serviceConformance('a double', () => {
  const night = new Night();
  const service: ServiceDouble = new ServiceDouble({
    clock: night.clock,
    capacity: CAPACITY,
    freeSlots: () => CAPACITY - service.inProgress,
  });
  service.listAgents = () => Promise.resolve({ agents: [someAgent('ag_1')], complete: true });
  return Promise.resolve({
    service,
    withWrongKey: null,
    agent: 'ag_1',
    capacity: CAPACITY,
    rang: () => service.calls,
    end: () => night.sleep(LONG_MS),
    pass: (answer) => night.pass(answer),
  });
});

function connect(
  profile: string,
  options: Pick<VoiceServiceOptions, 'name' | 'url' | 'key' | 'from' | 'ids'>,
): VoiceService {
  const service = createVoiceService({
    ...options,
    profile: profileOf(profile),
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    random: () => 0.5,
  });
  onTestFinished(() => service.close());
  return service;
}

const profiles = new Map<string, Profile>();

function profileOf(name: string): Profile {
  const path = `campaigns/profiles/${name}.yaml`;
  const profile = profiles.get(name) ?? loadProfile(readFileSync(path, 'utf8'), path);
  profiles.set(name, profile);
  return profile;
}

/** The machine's clock, moved on by a long time when it is told so. */
function aClockToMove(): { clock: Clock; goOn: () => Promise<void> } {
  let ahead = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    monotonic: () => systemClock.monotonic() + ahead,
  };
  const goOn = () => {
    ahead += LONG_MS;
    return Promise.resolve();
  };
  return { clock, goOn };
}

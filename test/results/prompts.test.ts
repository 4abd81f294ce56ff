import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { writeResults } from '../../src/results/write.ts';
import { createVoiceService } from '../../src/service/voice-service.ts';
import { loadProfile } from '../../src/service/profile/profile.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { aRunningCampaign, claimed, placed } from '../conformance/store/setup.ts';
import { START, VirtualClock } from '../helpers/clock.ts';
import { startProvider } from '../helpers/providers/start.ts';
import { tempFolder } from '../helpers/files/temp.ts';

const LEADS = 12;

test('the CSV has what was said in a call and neither the prompt nor what tools answered', async () => {
  const clock = new VirtualClock();
  const provider = await startProvider('vapi', { clock });
  const { url, key, from, agent } = provider;
  const path = 'campaigns/profiles/vapi.yaml';
  const profile = loadProfile(readFileSync(path, 'utf8'), path);
  const service = createVoiceService({
    name: 'main',
    url,
    key,
    from,
    profile,
    clock,
    random: () => 0.5,
  });
  const folder = tempFolder();
  const store = openSqliteStore({ path: join(folder, 'callsheet.db'), mode: 'dial' });
  onTestFinished(async () => {
    await store.close();
    await service.close();
    await provider.close();
  });
  const campaign = await aRunningCampaign(store, {
    leads: LEADS,
    settings: { concurrency: LEADS },
  });

  const callIds = new Map<string, string>();
  for (const { attemptId, key: attemptKey, phone } of await claimed(store, LEADS)) {
    const answer = await service.startCall({ attemptKey, phone, agent }, () => true);
    if (answer.kind !== 'placed') throw new Error(answer.detail);
    await store.recordDial(attemptId, placed(answer.callId));
    callIds.set(attemptId, answer.callId);
  }
  await clock.advance(1_000);
  for (const [attemptId, callId] of callIds) {
    const look = await service.readAnalytics(callId);
    if (look.kind !== 'settled') throw new Error(`it is ${look.kind}`);
    const { analytics } = look;
    const found = { at: START + 60_000, analytics, result: 'answered', source: 'derived' } as const;
    await store.recordPoll(attemptId, { kind: 'settled', callId, ...found });
  }
  await writeResults({ store, campaign, to: join(folder, 'out.csv'), format: 'csv' });

  const text = readFileSync(join(folder, 'out.csv'), 'utf8');
  const rows: Record<string, string>[] = parse(text, { columns: true });
  const said = provider.ledger().map(({ phone, transcript }) => [phone, transcript]);
  const written = rows.map((row) => [row['call_phone'], row['call_transcript']]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(said));
  expect(said.filter(([, transcript]) => transcript !== '').length).toBeGreaterThan(LEADS / 3);
  expect(provider.invalid()).toEqual([]);
});

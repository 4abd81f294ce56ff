import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ResolutionRecord } from '../../../src/store/port.ts';
import { notPlaced, unconfirmed } from '../../conformance/store/dialling/resolve.ts';
import { aClaim, placed, settled, unknown } from '../../conformance/store/setup.ts';
import { addCampaign } from '../../helpers/campaign-run.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone, someAnalytics } from '../../helpers/factory.ts';
import type { Night } from '../../helpers/night.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { aServer } from '../../helpers/services/a-server.ts';

const HOUR = 3_600_000;
const ENTRY = { at: START, who: 'operator', what: 'lead.cancelled', detail: {} };

/** A server of two people, and what an operator has said of a call to the first one that was in doubt. */
async function aDoubt(resolution: ResolutionRecord) {
  const server = aServer();
  const file = join(tempFolder(), 'spring.csv');
  const settings = { results: { file, format: 'csv' } } as const;
  const { id } = await addCampaign(server.store, { name: 'spring', from: 0, leads: 2, settings });
  const { intents } = await server.store.claim({
    ...aClaim({ want: 1, now: START - HOUR }),
    campaignId: id,
  });
  const attemptId = intents[0]?.attemptId ?? '';
  await server.store.recordDial(attemptId, unknown(START - HOUR));
  const resolved = await server.store.resolve(attemptId, resolution);
  expect(resolved).toEqual({ kind: 'resolved' });
  return { ...server, id, attemptId, rowOf: (n: number) => rowOf(file, n) };
}

/** Files are written in the time of the machine, while the server's own time passes. */
async function until(night: Night, isSo: () => boolean): Promise<void> {
  while (!isSo()) await night.sleep(5_000);
}

function rowOf(file: string, n: number): string {
  if (!existsSync(file)) return '';
  const lines = readFileSync(file, 'utf8').split('\r\n').join('\n').split('\n');
  return lines.find((line) => line.includes(aPhone(n))) ?? '';
}

it('a result that comes after everybody is done is written into the results file, once', async () => {
  const { night, store, attemptId, rowOf, serveDuring, err } = await aDoubt(unconfirmed(START));
  const analytics = someAnalytics({ summary: 'came late' });

  await serveDuring(async () => {
    await until(night, () => rowOf(1).includes('answered'));
    expect(rowOf(0)).toContain('unconfirmed');
    await store.recordPoll(attemptId, settled('late', { result: 'voicemail', analytics }));
    await until(night, () => rowOf(0).includes('voicemail'));
    expect(rowOf(0)).toContain('came late');
    await night.sleep(60_000);
  });

  expect(err().match(/spring: completed; results:/g)).toHaveLength(2);
});

it('a call that is found after its person was withdrawn is read, and its result is in the file', async () => {
  const { night, store, service, id, attemptId, rowOf, serveDuring } = await aDoubt(
    notPlaced(START),
  );
  await store.cancelLead(id, aPhone(0), ENTRY);

  await serveDuring(async () => {
    await until(night, () => rowOf(1).includes('answered'));
    const times = { startedAt: START, endsAt: START, settledAt: START };
    const dial = { attemptKey: 'k', phone: aPhone(0), agent: 'a', variables: {} };
    service.calls.push({ callId: 'found', phone: aPhone(0), dial, ...times });
    await store.recordDial(attemptId, placed('found', night.clock.now()));
    await until(night, () => rowOf(0).includes('found'));
  });

  expect(service.polls.map(({ callId }) => callId)).toContain('found');
  expect(rowOf(0)).toMatch(/cancelled.*found/);
});

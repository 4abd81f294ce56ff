// A campaign that the console calls, begun over HTTP as a page begins it.
import { setTimeout as sleep } from 'node:timers/promises';
import { listOf } from '../fictional-list.mjs';

const LEADS = 20_000;

/**
 * @param run `name` of the campaign; `callMs`: how long each call lasts; `leads` at most 20,000; `file`: the list
 *   instead of them; `keep`: the service goes on with the calls that it has
 */
export async function startRun({ json }, service, run) {
  const { name, callMs, leads = LEADS, file = Buffer.from(listOf(leads)), keep = false } = run;
  if (!keep) await service.reset(callMs);
  const upload = await json(`/api/v1/uploads?name=${name}.csv`, { method: 'PUT', file });
  const post = (path, body) => json(path, { method: 'POST', body });
  await post('/api/v1/campaigns', { uploads: [upload.id] });
  const set = {
    service: 'bench',
    agent: 'ag_bench',
    country: 'US',
    rules: 'always',
    concurrency: '500',
    requests: '256',
    'polling.floor': '20ms',
  };
  const campaign = `/api/v1/campaigns/${name}`;
  await json(`${campaign}/settings`, { method: 'PATCH', body: { set } });
  const job = await post(`${campaign}/start`, { yes: true });
  const progress = () => json(campaign);
  const ofJob = async () => {
    const found = await json(`/api/v1/jobs/${job.id}`);
    if (found.state === 'failed') throw new Error(JSON.stringify(found));
    return found;
  };
  return {
    progress,
    /** Resolves when the campaign is stored and about to be called. */
    made: async () => {
      while ((await ofJob(), (await json(campaign)).state) === 'draft') await sleep(50);
    },
    reaches: async (calling) => {
      while ((await ofJob(), (await json(campaign)).state) === 'draft') await sleep(50);
      while ((await progress()).calling < calling) await sleep(250);
    },
    /** Resolves with the job as it ended. */
    ended: async () => {
      for (;;) {
        const found = await ofJob();
        if (found.endedAt !== null) return found;
        await sleep(100);
      }
    },
    cancel: async () => {
      await post(`/api/v1/jobs/${job.id}/stop`, {});
      while ((await ofJob()).endedAt === null) await sleep(100);
    },
  };
}

import { basename } from 'node:path';
import type { Campaign, FoundLead, NextCall, Store } from '../../store/port.ts';
import { localTime } from '../../text/local-time.ts';
import { shellWord } from '../../text/shell-word.ts';
import { unfinishedImport } from '../plan/unfinished-import.ts';
import { whoWorks } from '../run/who-works.ts';
import type { World } from '../world.ts';

/** What is asked for one person of a campaign. */
interface Asked {
  store: Store;
  campaign: Campaign;
  world: World;
}

/**
 * Why a person is not being called at this moment, as clauses; the first one decides. What holds for the whole campaign
 * comes before what holds for the person alone.
 */
export async function whyNotNow(
  { store, campaign, world }: Asked,
  found: FoundLead,
  next: NextCall | undefined,
): Promise<string[]> {
  if (found.state === 'done') return [endedBecause(found)];
  if (found.state === 'calling') return [await inProgress(store, campaign, found, world)];
  const holds = next?.holds.map(({ by, why }) => `${by}: ${why}`) ?? [];
  const campaignWide = await ofCampaign({ store, campaign, world });
  const { calls } = whoWorks(await store.runners(campaign.id), world);
  const isIdle = campaignWide.length === 0 && calls === null;
  const idle = `no process calls this campaign now (\`callsheet run ${shellWord(campaign.name)}\`)`;
  return [...campaignWide, ...holds, ...(isIdle ? [idle] : [])];
}

function endedBecause({ result, reason, attempts }: FoundLead): string {
  const why = reason === null ? '' : `: ${reason}`;
  const calls =
    attempts === 0 ? 'without a call' : attempts === 1 ? 'after 1 call' : `after ${attempts} calls`;
  return `their result is ${result ?? 'known'} (${calls})${why}`;
}

async function inProgress(
  store: Store,
  { id, settings: { timezone } }: Campaign,
  { phone, campaign: name }: FoundLead,
  world: World,
): Promise<string> {
  const held = await store.heldSlots(id, world.clock.now());
  const rows = await store.attemptsOf(id, phone);
  const own = new Set(rows.flatMap(({ attempt }) => (attempt === null ? [] : [attempt.id])));
  const slot = held.find(({ attemptId }) => own.has(attemptId));
  const last = rows.at(-1)?.attempt;
  const since = last == null ? '' : ` since ${localTime(last.intentAt, timezone)}`;
  if (last?.state === 'unknown') {
    return `it is not known whether their call was made${since}; nobody is called again for that (\`callsheet resolve ${shellWord(name)}\`)`;
  }
  if (slot === undefined)
    return `their call is over${since === '' ? '' : `, begun${since.replace(' since', '')}`}; its results are still read`;
  return `they are being called${since}; the call holds its slot until ${localTime(slot.holdsUntil, timezone)} at the latest`;
}

async function ofCampaign({ store, campaign, world }: Asked): Promise<string[]> {
  const { name, state, pauseDetail, archivedAt } = campaign;
  const word = shellWord(name);
  if (archivedAt !== undefined) return [`campaign ${word} is archived`];
  const unfinished = await unfinishedImport(store, campaign, world);
  const lists =
    unfinished === undefined
      ? []
      : [
          `the import of ${basename(unfinished.list.path)} is not finished, and nobody is called before that`,
        ];
  if (state === 'paused')
    return [
      `the campaign is paused: ${pauseDetail ?? ''} (\`callsheet resume ${word}\`)`,
      ...lists,
    ];
  if (state === 'draft')
    return [`the campaign was not started (\`callsheet run ${word}\`)`, ...lists];
  if (state !== 'running') return [`the campaign is ${state}`, ...lists];
  return lists;
}

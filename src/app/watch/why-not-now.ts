import { basename } from 'node:path';

import { formatPace } from '../../config/fields.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { ClaimGate, FoundLead, NextCall } from '../../store/port.ts';
import { localTime } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { budgetClause, budgetOf } from '../nights/budget-lines.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { unfinishedImport } from '../plan/unfinished-import.ts';
import { whoWorks } from '../run/who-works.ts';
import { mostCallsAt } from '../services/known-services.ts';
import { NEWER, suppressionHoldsUntil } from '../suppression/suppression-age.ts';

/** Why a person is not being called at this moment, and when they may be. */
export interface Answer {
  /** Clauses, the first one decides; empty: nothing that is known keeps them. */
  why: string[];
  /** When they may be called; undefined: they do not wait, or nobody of the campaign is called any more. */
  next:
    | {
        /** Not before this, epoch ms, perhaps the present; null: never as things stand. */
        at: number | null;
        /** The present, epoch ms. */
        now: number;
        /** What decides about `at`: a rule, a key of the campaign file, `backoff`; null: nothing, or no time is known. */
        by: string | null;
        /** What has to happen besides, as a clause (``after `callsheet resume spring` ``); null: nothing. */
        after: string | null;
        holds: NextCall['holds'];
      }
    | undefined;
}

/** Something that keeps the whole campaign, and what has to happen first; null: only time. */
interface Wide {
  clause: string;
  after: string | null;
}

/**
 * Answers for one person by the decisions of the claim. What holds for the whole campaign comes before what holds for
 * the person alone.
 */
export async function whyNotNow(asked: OpenCampaign, found: FoundLead): Promise<Answer> {
  const { store, campaign, world } = asked;
  const { id } = campaign;
  const now = world.clock.now();
  const next = await store.nextCall(id, found.phone, now);
  if (next === undefined) return { why: await whyNotWaiting(asked, found), next: undefined };

  const most = await mostCallsAt(campaign.service, world);
  const gates = await store.claimGates({ campaignId: id, serviceSlots: most, now });
  const { calls } = whoWorks(await store.runners(id), world);
  const wide = [
    ...(await ofCampaign(asked, calls === null)),
    ...gates.flatMap((gate) => ofGate(gate, asked, most)),
    ...(await ofBudget(asked, now)),
  ];
  const isOver = campaign.archivedAt !== undefined || OVER.includes(campaign.state);
  const run = `\`callsheet run ${shellWord(campaign.name)}\``;
  const { schedule } = campaign.settings;
  const who = schedule === undefined ? run : `\`callsheet serve\` at its schedule, ${run} at once`;
  if (!isOver && calls === null && campaign.state === 'running')
    wide.push({ clause: `no process calls this campaign now (${who})`, after: IDLE });
  const idle = wide.filter(({ after }) => after === IDLE).map(({ clause }) => clause);
  const others = wide.filter(({ after }) => after !== IDLE).map(({ clause }) => clause);
  // The one that holds longest decides; null is for ever.
  const longest = next.holds.toSorted((a, b) => endOf(b) - endOf(a));
  const holds = longest.map(({ by, why }) => `${by}: ${why}`);
  const why = [...others, ...holds, ...bothZones(found, next), ...idle];
  if (isOver) return { why, next: undefined };

  // Everything has to allow the call at one moment: after a gate has opened, hours may be closed again.
  const gateEnd = Math.max(...gates.map(({ until }) => until ?? 0), 0);
  const isGated = next.at !== null && gateEnd > next.at;
  const at = isGated ? ((await store.nextCall(id, found.phone, gateEnd))?.at ?? null) : next.at;
  const [last] = longest;
  const gate = gates.find(({ until }) => until === gateEnd);
  const by = isGated && at === gateEnd ? (GATE_KEYS[gate?.why ?? ''] ?? 'backoff') : last?.by;
  const after = wide.map((one) => one.after).find((one) => one !== null) ?? null;
  return { why, next: { at, now, by: by ?? null, after, holds: next.holds } };
}

function endOf({ until }: NextCall['holds'][number]): number {
  return until ?? Infinity;
}

const OVER = ['cancelled', 'completed'];
/** Keys of the campaign file that decide by a gate. */
const GATE_KEYS: Readonly<Record<string, string>> = { pace: 'pace', budget: 'stop' };
const IDLE = 'once a process calls this campaign';

/** What its state, its imports and the age of the suppression list keep back. */
async function ofCampaign(
  { store, campaign, world }: OpenCampaign,
  isIdle: boolean,
): Promise<Wide[]> {
  const { name, state, pauseReason, pauseDetail, archivedAt } = campaign;
  const [resume, run] = ['resume', 'run'].map((verb) => `\`callsheet ${verb} ${shellWord(name)}\``);
  const all: Wide[] = [];
  if (archivedAt !== undefined) return [{ clause: 'the campaign is archived', after: null }];
  if (state === 'paused') {
    const isOperator = pauseReason === 'operator';
    const clause = isOperator
      ? `the campaign was ${pauseDetail ?? 'paused'}; ${resume} ends that`
      : `callsheet has paused the campaign: ${pauseDetail ?? ''}`;
    const first = isOperator ? [resume, ...(isIdle ? [run] : [])] : [run];
    all.push({ clause, after: `after ${first.join(' and ')}` });
  } else if (state === 'draft') {
    all.push({
      clause: `the campaign was not started (${run ?? ''})`,
      after: `after ${run ?? ''}`,
    });
  } else if (state !== 'running') {
    return [{ clause: `the campaign is ${state}`, after: null }];
  }
  const unfinished = await unfinishedImport(store, campaign, world);
  if (unfinished !== undefined) {
    const clause = `the import of ${basename(unfinished.list.path)} is not finished, and nobody is called before that`;
    all.push({ clause, after: 'after the import' });
  }
  if (world.clock.now() >= (await suppressionHoldsUntil(campaign, store))) {
    const clause = `the suppression list is older than suppression.maxAge or a rule allows; ${NEWER}`;
    all.push({ clause, after: 'after a newer suppression list' });
  }
  return all;
}

/** What a claim answers while nobody of the campaign may be called; its state is told by `ofCampaign`. */
function ofGate(
  { why, until }: ClaimGate,
  { campaign: { name, state, service, settings } }: OpenCampaign,
  mostCalls: number | null,
): Wide[] {
  const { timezone, concurrency, pace } = settings;
  const time = until === null ? 'later' : localTime(until, timezone);
  if (why === 'disk_full')
    return [
      {
        clause: 'the disk of the database has less than 64 MB free, so no call is started',
        after: 'after room is made on the disk',
      },
    ];
  if (why === 'service_backoff')
    return [{ clause: `service ${service} asked for no calls until ${time}`, after: null }];
  if (state !== 'running') return [];
  if (why === 'pace' && pace !== null)
    return [
      { clause: `the pace of ${formatPace(pace)} allows the next call at ${time}`, after: null },
    ];
  if (why !== 'no_free_slot') return [];
  const atService = mostCalls === null ? '' : `, at most ${mostCalls} at ${service}`;
  const clause = `no slot is free (concurrency ${concurrency}${atService}); \`callsheet status ${shellWord(name)}\` shows the calls`;
  return [{ clause, after: 'once a call has ended' }];
}

async function ofBudget({ store, campaign }: OpenCampaign, now: number): Promise<Wide[]> {
  if (campaign.state !== 'running') return [];
  const budget = await budgetOf(campaign, store, now);
  const clause = budgetClause(budget, campaign);
  if (clause === null) return [];
  return [
    { clause, after: budget?.limit?.until === 'change' ? 'after another budget is set' : null },
  ];
}

/** Of several time zones each has to allow the call. */
function bothZones({ zoneKey }: FoundLead, { holds }: NextCall): string[] {
  const { zones } = placeOf(zoneKey);
  if (zones.length < 2 || holds.length === 0) return [];
  const all = zones.length === 2 ? 'both' : 'each';
  return [`${all} of their time zones must allow the call: ${zones.join(', ')}`];
}

/** Why somebody is not called who does not wait for a call: it is over for them, or in progress. */
async function whyNotWaiting(asked: OpenCampaign, found: FoundLead): Promise<string[]> {
  return [found.state === 'done' ? endText(found) : await inProgress(asked, found)];
}

/** How it ended for somebody, e.g. `answered after 1 call`, `suppressed without a call: on the suppression list ...`. */
export function endText({ result, reason, attempts }: FoundLead): string {
  const calls = attempts === 0 ? 'without a call' : `after ${counted(attempts, 'call')}`;
  const why = reason === null ? '' : `: ${reason}`;
  return `it is over for them, ${(result ?? 'done').replaceAll('_', ' ')} ${calls}${why}`;
}

async function inProgress(
  { store, campaign, world }: OpenCampaign,
  found: FoundLead,
): Promise<string> {
  const { id, name, settings } = campaign;
  const held = await store.heldSlots(id, world.clock.now());
  const rows = await store.attemptsOf(id, found.phone);
  const own = new Set(rows.flatMap(({ attempt }) => (attempt === null ? [] : [attempt.id])));
  const slot = held.find(({ attemptId }) => own.has(attemptId));
  const last = rows.at(-1)?.attempt;
  const at = last == null ? null : localTime(last.intentAt, settings.timezone);
  const since = at === null ? '' : ` since ${at}`;
  if (last?.state === 'unknown')
    return `it is not known whether their call${at === null ? '' : ` of ${at}`} was made; nobody is called again for that (\`callsheet resolve ${shellWord(name)}\`)`;
  if (slot === undefined)
    return `their call${at === null ? '' : ` of ${at}`} is over; its result is still awaited`;
  return `they are being called${since}; the call ends by ${localTime(slot.holdsUntil, settings.timezone)} at the latest`;
}

import { basename } from 'node:path';

import { formatPace } from '../../config/fields.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { SituationWord } from '../../domain/situation.ts';
import type { FoundLead, NextCall } from '../../store/port.ts';
import { localTime } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { budgetClause } from '../nights/budgets.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { calledSince, callableTimes } from '../plan/schedule-times.ts';
import { viewOf, type CampaignView } from '../run/situation.ts';
import { mostCallsAt } from '../services/known-services.ts';
import { AWAITED, SHOWN } from '../sentences/situations.ts';
import { NEWER } from '../suppression/suppression-age.ts';

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

  const isOver = campaign.archivedAt !== undefined || OVER.includes(campaign.state);
  if (isOver) {
    const state = campaign.archivedAt === undefined ? campaign.state : 'archived';
    return { why: [`the campaign is ${state}`], next: undefined };
  }
  const most = mostCallsAt(campaign.service, world);
  const view = await viewOf(asked, {}, most);
  const { gates } = view;
  const wide = wideOf(view, most);
  const idle = wide.filter(({ after }) => after === IDLE).map(({ clause }) => clause);
  const others = wide.filter(({ after }) => after !== IDLE).map(({ clause }) => clause);
  // The one that holds longest decides; null is for ever.
  const shut = await neverScheduled(asked, found, view);
  const longest = [...shut, ...next.holds].toSorted((a, b) => endOf(b) - endOf(a));
  const holds = longest.map(({ by, why }) => `${by}: ${why}`);
  const why = [...others, ...holds, ...bothZones(found, next), ...idle];

  // Everything has to allow the call at one moment: after a gate has opened, hours may be closed again.
  const gateEnd = Math.max(...gates.map(({ until }) => until ?? 0), 0);
  const ownAt = shut.length > 0 ? null : next.at;
  const isGated = ownAt !== null && gateEnd > ownAt;
  const at = isGated ? ((await store.nextCall(id, found.phone, gateEnd))?.at ?? null) : ownAt;
  const [last] = longest;
  const gate = gates.find(({ until }) => until === gateEnd);
  const by = isGated && at === gateEnd ? (GATE_KEYS[gate?.why ?? ''] ?? 'backoff') : last?.by;
  const after = wide.map((one) => one.after).find((one) => one !== null) ?? null;
  return { why, next: { at, now, by: by ?? null, after, holds: [...shut, ...next.holds] } };
}

/** Whether their hours are closed whenever the schedule calls; who calls at once does not wait for it. */
async function neverScheduled(
  { store, campaign }: OpenCampaign,
  { zoneKey }: FoundLead,
  { works, now }: CampaignView,
): Promise<NextCall['holds']> {
  if (works.calls !== null) return [];
  const since = calledSince(campaign, await store.history(campaign.id), now);
  const hours = callableTimes(campaign.settings, since, now).neverAt(zoneKey, now);
  return hours === undefined || hours.open ? [] : [hours.hold];
}

function endOf({ until }: NextCall['holds'][number]): number {
  return until ?? Infinity;
}

const OVER = ['cancelled', 'completed'];
/** Keys of the campaign file that decide by a gate. */
const GATE_KEYS: Readonly<Record<string, string>> = { pace: 'pace', budget: 'stop' };
const IDLE = 'once a process calls this campaign';

/** What keeps everybody of the campaign, in the order in which its situation decides. */
function wideOf(view: CampaignView, mostCalls: number | null): Wide[] {
  const { campaign, situation, unfinished, budget, failing } = view;
  const { name, service, pauseDetail, settings } = campaign;
  const { timezone, concurrency, pace, schedule } = settings;
  const [resume, run, status] = ['resume', 'run', 'status'].map(
    (verb) => `\`callsheet ${verb} ${shellWord(name)}\``,
  );
  const untilOf = (gate: string) => {
    const until = view.gates.find(({ why }) => why === gate)?.until ?? null;
    return until === null ? 'later' : localTime(until, timezone);
  };
  const paused = {
    clause: `callsheet has paused the campaign: ${pauseDetail ?? ''}`,
    after: `after ${run}`,
  };
  const importing = {
    clause: `the import of ${basename(unfinished?.list.path ?? '')} is not finished, and nobody is called before that`,
    after: 'after the import',
  };
  const spent = { clause: budgetClause(budget, campaign) ?? '', after: null };
  const atService = mostCalls === null ? '' : `, at most ${mostCalls} at ${service}`;
  const clauses: Partial<Record<SituationWord, Wide>> = {
    key: paused,
    profile: paused,
    breaker: paused,
    disk_full: {
      clause: 'the disk of the database has less than 64 MB free, so no call is started',
      after: 'after room is made on the disk',
    },
    machines: { clause: `${AWAITED}. ${SHOWN}`, after: 'after each machine has shown its journal' },
    list_too_old: {
      clause: `the suppression list is older than suppression.maxAge or a rule allows; ${NEWER}`,
      after: 'after a newer suppression list',
    },
    paused: {
      clause: `the campaign was ${pauseDetail ?? 'paused'}; ${resume} ends that`,
      after: `after ${situation.works === 'calls' ? resume : `${resume} and ${run}`}`,
    },
    importing,
    import: importing,
    budget: { ...spent, after: 'after another budget is set' },
    budget_tonight: spent,
    budget_in_use: spent,
    draft: { clause: `the campaign was not started (${run})`, after: `after ${run}` },
    failing: {
      clause: `service ${service} fails: ${failing?.why ?? ''}`,
      after: 'once the service answers',
    },
    backoff: {
      clause: `service ${service} asked for no calls until ${untilOf('service_backoff')}`,
      after: null,
    },
    no_free_slot: {
      clause: `no slot is free (concurrency ${concurrency}${atService}); ${status} shows the calls`,
      after: 'once a call has ended',
    },
    pace: {
      clause: `the pace of ${pace === null ? '' : formatPace(pace)} allows the next call at ${untilOf('pace')}`,
      after: null,
    },
  };
  const who = schedule === undefined ? run : `\`callsheet serve\` at its schedule, ${run} at once`;
  const idle = { clause: `no process calls this campaign now (${who})`, after: IDLE };
  return [
    ...situation.all.flatMap((word) => clauses[word] ?? []),
    ...(situation.shown === 'open' && situation.works !== 'calls' ? [idle] : []),
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
function endText({ result, reason, attempts }: FoundLead): string {
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

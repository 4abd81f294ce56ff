import { title } from '../../domain/calling/policy.ts';
import type { NextOpening, Openings } from '../../domain/calling/openings.ts';
import { onTheLine, type Situation, type SituationWord } from '../../domain/situation.ts';
import type { Campaign, ClaimGate, Progress } from '../../store/port.ts';
import { localTime, shortTime } from '../../text/times.ts';
import { asSentence, counted, shellWord } from '../../text/wording.ts';
import { budgetClause, type BudgetView } from '../nights/budgets.ts';
import { unfinishedSentence, type UnfinishedImport } from '../plan/unfinished-import.ts';
import type { Begins, CampaignDetail } from '../../views/campaigns.ts';
import type { WatchedEnd, Works } from '../run/run-events.ts';
import { NEWER } from '../suppression/suppression-age.ts';
import { openingText, shutText } from './hours-lines.ts';

/** What one read of the store gives of a campaign at `now`, epoch ms. */
export interface CampaignRead {
  now: number;
  campaign: Campaign;
  progress: Progress;
  works: Works;
  /** Nobody is called before it is finished; undefined: all lists are in. */
  unfinished: UnfinishedImport | undefined;
  /** How many of those who wait may be called now, later and never, by the hours. */
  hours: Openings;
  /** What the campaign's budgets allow; null: it has none. */
  budget: BudgetView | null;
  gates: ClaimGate[];
  /** Calls that the service takes at once, over all campaigns; null: no limit, or not looked at. */
  serviceSlots: number | null;
  /** Since when the service fails the process that works, epoch ms, and its last answer; null: it does not. */
  failing: { since: number; why: string } | null;
  isListTooOld: boolean;
  /** What a run has seen until its end; empty while the campaign is only looked at. */
  end: SeenEnd;
}

/** `calledBy`: who calls the campaign again by itself, though it does not now, e.g. `callsheet serve`. */
export type SeenEnd = Partial<WatchedEnd> & { calledBy?: string };

/** What is going on in a campaign and what to do about it, in sentences. */
export function situationText(read: CampaignRead, situation: Situation): string {
  const { campaign, progress, works, failing } = read;
  const { is } = situation;
  const told = toldOf(read, situation);
  const since = failing && localTime(failing.since, campaign.settings.timezone);
  const fails = `${campaign.service} has failed since ${since ?? ''}, and nobody is called until it answers:`;
  return [
    ...(failing === null ? [] : [`${fails} ${asSentence(failing.why)}`]),
    WORDS[is](told),
    ...(progress.open > 0 ? [openCalls(progress.open, told.name, works.runner)] : []),
  ].join(' ');
}

type Status = CampaignDetail['status'];

/** What a page says first, without words of a terminal; `reason` as a sentence, null: there is none to give. */
export function statusOf(read: CampaignRead, situation: Situation, begins: Begins | null): Status {
  const { campaign, progress, works, now, failing } = read;
  const { is, attention, until, onLine, callsMore } = situation;
  const clock = (at: number) => shortTime(at, now, campaign.settings.timezone);
  const waits = `${counted(progress.waiting, 'person', 'people')} ${progress.waiting === 1 ? 'waits' : 'wait'}`;
  const line = `${counted(onLine, 'call')} ${onLine === 1 ? 'is' : 'are'} on the line`;
  const open = `${counted(progress.open, 'call')} ${progress.open === 1 ? 'has' : 'have'} no result yet`;
  const awaited = onLine > 0 ? line : open;
  const by = works.by === null ? '' : `, by ${works.by}`;
  const calling = `Calling since ${clock(works.since ?? now)}${by}`;
  const isLeft = progress.waiting > 0 || progress.open > 0;
  const lost =
    works.lostAt === null || !isLeft
      ? null
      : `Interrupted at ${clock(works.lostAt)}: the process that called has ended without a word`;
  const say = (word: Status['is'], text: string, reason: string | null = null) => {
    return { is: word, text: `${text}.`, reason };
  };
  if (attention !== null) {
    const before = callsMore ? calling : onLine > 0 ? line : lost;
    const needs = `Needs you: ${NEEDS[is] ?? waits}`;
    return say('needs_you', before === null ? needs : `${before}. ${needs}`, reasonOf(read, is));
  }
  if (is === 'cancelled') return say('over', `Cancelled${progress.open > 0 ? `; ${awaited}` : ''}`);
  if (is === 'draft') return say('draft', `Not started: ${waits}`);
  const both = onLine > 0 ? `${waits}; ${line}` : waits;
  if (campaign.pauseReason !== null && is !== 'final')
    return say('paused', `Paused: ${progress.waiting > 0 ? both : awaited}`);
  if (is === 'final') return say('over', 'Done: everybody has a result');
  if (is === 'importing')
    return say('waiting', `Waiting for an import: ${both}`, reasonOf(read, is));
  if (is === 'collecting')
    return lost !== null
      ? say('interrupted', lost, asSentence(awaited))
      : works.runner === null
        ? say('still', `Nobody waits; ${awaited}, and nobody fetches the results`)
        : say(
            situation.shown === 'running' ? 'calling' : 'waiting',
            `Nobody waits; ${awaited}${by}`,
          );
  if (works.calls === null) {
    // A process waits for its time.
    if (begins?.isOn === true && (lost === null || begins.at !== null))
      return { is: 'waiting', text: begins.text, reason: null };
    const still = onLine > 0 ? `${line}; ${waits}, and nobody calls them` : null;
    return lost === null
      ? say('still', still ?? `Standing still: ${waits}, and nobody calls`, reasonOf(read, is))
      : say('interrupted', lost, reasonOf(read, is) ?? asSentence(waits));
  }
  if (failing !== null) {
    const nobody = onLine > 0 ? `${line}; nobody new` : 'Standing still';
    const why = `since ${clock(failing.since)}: the service does not answer${by}`;
    return say('still', `${nobody} ${why}`, asSentence(failing.why));
  }
  if (callsMore) return say('calling', calling);
  const isOver = is === 'budget_tonight' && read.budget?.limit?.by === 'stop.at';
  const waitsFor = isOver
    ? 'the calls of this night have ended'
    : (WAITS[is] ?? WAITS.waiting ?? '');
  const why = is === 'no_free_slot' ? slotsText(read) : waitsFor;
  if (situation.shown === 'running') {
    const before = until === null ? '' : ` before ${clock(until)}`;
    const reason = is === 'hours' || is === 'waiting' ? '' : `: ${why}`;
    return say('calling', `${line}${by}; nobody new${before}${reason}`, reasonOf(read, is));
  }
  const at = until === null ? '' : ` for ${clock(until)}`;
  return say('waiting', `Waiting${at}${by}: ${why}`, reasonOf(read, is));
}

/** What a person is needed for. */
const NEEDS: Readonly<Partial<Record<SituationWord, string>>> = {
  key: 'the service refused the key',
  profile: 'the service answers otherwise than its profile says',
  breaker: 'the service did not answer for too long',
  database: 'the database could not be written',
  disk_full: 'the disk of the database is almost full',
  machines: 'another machine has to show its dial journal first',
  list_too_old: 'the suppression list is too old',
  doubts: 'some calls are in doubt',
  import: 'an import was broken off',
  never_open: 'nobody who waits may ever be called',
  budget: 'a budget is used up',
};

/** What a process that calls waits for. */
const WAITS: Readonly<Partial<Record<SituationWord, string>>> = {
  hours: 'nobody may be called before',
  waiting: 'nobody is due before',
  budget_tonight: "tonight's budget is used up",
  budget_in_use: 'calls on the line use up what is left of the budget',
  backoff: 'the service asked for no calls until then',
};

/** Who holds the slots while no call of the campaign itself is on the line. */
function slotsText({ campaign, progress: { held }, serviceSlots }: CampaignRead): string {
  const doubts = 'calls that may not have been made';
  if (held >= campaign.settings.concurrency)
    return `${doubts} hold every slot; they give it back when that is known`;
  const who = `other campaigns${held > 0 ? ` and ${doubts}` : ''}`;
  return `${who} hold every slot of ${campaign.service}${serviceSlots === null ? '' : ` (${serviceSlots})`}`;
}

/** More of it, for which the words of the status have no room. */
const REASONS: Readonly<Partial<Record<SituationWord, (read: CampaignRead) => string>>> = {
  key: ({ campaign }) => asSentence(campaign.pauseDetail ?? ''),
  profile: ({ campaign }) => asSentence(campaign.pauseDetail ?? ''),
  breaker: ({ campaign }) => asSentence(campaign.pauseDetail ?? ''),
  doubts: (read) => {
    const { doubts } = read.progress;
    const known = `It is not known whether ${counted(doubts, 'call')} ${doubts === 1 ? 'was' : 'were'} made; nobody is called again for ${doubts === 1 ? 'it' : 'them'}.`;
    const isFull = read.progress.held >= read.campaign.settings.concurrency;
    return isFull && onTheLine(read.progress) === 0 ? `${known} ${title(slotsText(read))}.` : known;
  },
  never_open: ({ hours, campaign }) =>
    hours.shut.map((each) => shutText(each, campaign.name)).join(' '),
  import: importText,
  importing: importText,
  budget: budgetText,
  budget_tonight: budgetText,
  budget_in_use: budgetText,
};

function reasonOf(read: CampaignRead, is: SituationWord): string | null {
  return REASONS[is]?.(read) ?? null;
}

function importText({ unfinished, campaign }: CampaignRead): string {
  return unfinished === undefined ? '' : unfinishedSentence(unfinished, campaign);
}

function budgetText({ budget, campaign }: CampaignRead): string {
  return asSentence(title(budgetClause(budget, campaign) ?? ''));
}

/** The sentences of one of the situations that hold, whichever decides. */
export function wordsOf(
  read: CampaignRead & { situation: Situation },
  word: SituationWord,
): string {
  return WORDS[word](toldOf(read, read.situation));
}

/** What the sentences are made of. */
interface Told extends CampaignRead {
  /** The campaign's name for a shell. */
  name: string;
  /** `2 leads wait`. */
  waits: string;
  /** The process that goes on with those who wait, or the command for it. */
  who: string;
  /** That it does. */
  next: string;
  /** Who holds all slots, as a sentence; empty: calls of its own do, or some are free. */
  full: string;
}

function toldOf(read: CampaignRead, { is, onLine, callsMore }: Situation): Told {
  const name = shellWord(read.campaign.name);
  const { waiting } = read.progress;
  const waits = `${counted(waiting, 'lead')} ${waiting === 1 ? 'waits' : 'wait'}`;
  const isHeld = read.campaign.pauseReason === 'operator';
  // Until it is resumed, a process that works for it calls nobody.
  const calls = isHeld ? null : read.works.calls;
  const who = calls ?? `\`callsheet ${isHeld ? 'resume' : 'run'} ${name}\``;
  const next = `${who} ${callsMore ? 'calls' : 'goes on'}`;
  const isFull = is === 'no_free_slot' && onLine === 0;
  return { ...read, name, waits, who, next, full: isFull ? `${title(slotsText(read))}. ` : '' };
}

/** Why nobody is called in another copy of a database on a server, and what a person does. */
export const AWAITED =
  'the database is another copy than before, and not every machine that calls has shown its dial journal to it, so nobody is called';
export const SHOWN =
  'Start callsheet on each of them (`callsheet machines list` says which), or `callsheet machines forget NAME` one that is gone for good';

const WORDS: Readonly<Record<SituationWord, (told: Told) => string>> = {
  interrupted: (told) => `Interrupted: ${leftToDo(told)}`,
  key: (told) =>
    told.campaign.pauseReason === 'key'
      ? `Paused: ${pausedFor(told)}`
      : `The service refused the key: calls cannot be read. ${mended(told)}`,
  profile: (told) => `Paused, a person is needed: ${pausedFor(told)}`,
  breaker: (told) => `Paused, a person is needed: ${pausedFor(told)}`,
  database: (told) => `A person is needed: the database could not be written. ${mended(told)}`,
  disk_full: ({ waits, who }) =>
    `A person is needed: the disk of the database has less than 64 MB free, so no more calls are made; ${waits}. Make room; ${who} then goes on.`,
  machines: ({ waits, who }) =>
    `A person is needed: ${AWAITED}; ${waits}. ${SHOWN}; ${who} then goes on.`,
  list_too_old: ({ waits, who }) =>
    `A person is needed: the suppression list is older than suppression.maxAge or a rule allows, so no more calls are made; ${waits}. ${NEWER}; ${who} then goes on.`,
  doubts: inDoubt,
  cancelled: () => 'The campaign is cancelled.',
  paused: (told) => `The ${pausedText(told)}`,
  importing: heldUp,
  import: heldUp,
  never_open: ({ waits, hours, campaign }) =>
    `A person is needed: nobody may ever be called: ${waits}. ${hours.shut.map((each) => shutText(each, campaign.name)).join(' ')}`,
  budget: (told) => `A person is needed: ${budgetOf(told)}. ${told.waits}.`,
  budget_tonight: (told) => `${title(budgetOf(told))}. ${told.waits}; ${told.next}.`,
  budget_in_use: (told) => `${title(budgetOf(told))}. ${told.waits}; ${told.next}.`,
  draft: ({ name, waits, progress }) =>
    `The campaign was not started: ${progress.waiting === 0 ? 'nobody is in it yet' : waits}; \`callsheet run ${name}\` starts it.`,
  failing: goesOn,
  hours: goesOn,
  backoff: goesOn,
  no_free_slot: goesOn,
  pace: goesOn,
  waiting: goesOn,
  collecting: () => 'Nobody waits to be called.',
  final: ({ campaign }) =>
    `Every lead is final.${campaign.pauseReason === null ? '' : ' The campaign stays paused.'}`,
};

/** Where a process calls the campaign already, nobody begins another one. */
function pausedText({ name, waits, works }: Told): string {
  const resume = `\`callsheet resume ${name}\``;
  const next =
    works.calls === null ? `${resume}, then \`callsheet run ${name}\`` : `${resume} goes on`;
  return `campaign is paused: ${waits}; ${next}.`;
}

function mended({ name }: Told): string {
  return `Mend that; \`callsheet run ${name}\` then asks the service again and goes on.`;
}

function pausedFor(told: Told): string {
  return `${asSentence(told.campaign.pauseDetail ?? '')} ${mended(told)}`;
}

function budgetOf({ budget, campaign }: Told): string {
  return budgetClause(budget, campaign) ?? '';
}

function heldUp({ unfinished, campaign, waits }: Told): string {
  return unfinished === undefined ? '' : `${waits}. ${unfinishedSentence(unfinished, campaign)}`;
}

function inDoubt({ progress, unfinished, campaign, name, waits, next }: Told): string {
  const { doubts, waiting } = progress;
  const which = doubts === 1 ? '1 call was' : `${counted(doubts, 'call')} were`;
  const rest =
    unfinished !== undefined
      ? ` ${unfinishedSentence(unfinished, campaign)}`
      : waiting > 0
        ? ` ${waits}; ${next}.`
        : '';
  return `A person is needed: it is not known whether ${which} made; nobody is called again for it. \`callsheet resolve ${name}\` lists and settles ${doubts === 1 ? 'it' : 'them'}.${rest}`;
}

function goesOn({ hours, end, campaign, waits, next, full }: Told): string {
  const stopped = { limit: 'Stopped at --limit: ', until: 'Stopped at --until: ' };
  const { dispatch } = end;
  const at = dispatch === 'limit' || dispatch === 'until' ? stopped[dispatch] : '';
  const opening = hours.now === 0 ? hours.next : null;
  const closed =
    opening === null ? '' : `Nobody may be called now. ${opensText(opening, campaign)} `;
  return `${at}${closed}${full}${waits}; ${next}.`;
}

/** What is left to do after an interrupted run, which may be nothing. */
function leftToDo(told: Told): string {
  const { campaign, progress, unfinished, waits, name } = told;
  const { waiting, doubts, open } = progress;
  if (campaign.state === 'cancelled') return 'the campaign is cancelled.';
  if (unfinished !== undefined) return `${waits}. ${unfinishedSentence(unfinished, campaign)}`;
  if (waiting > 0 && campaign.pauseReason === 'operator') return `the ${pausedText(told)}`;
  if (waiting > 0) return `${waits}; \`callsheet run ${name}\` goes on.`;
  if (doubts > 0)
    return `nobody waits; \`callsheet resolve ${name}\` settles ${counted(doubts, 'call')} in doubt.`;
  return open > 0 ? 'nobody waits to be called.' : 'every lead is final all the same.';
}

function opensText(opening: NextOpening, { settings }: Campaign): string {
  if (opening.by === null) return `The next is due ${openingText(opening, settings)}.`;
  return `The next hours open ${openingText(opening, settings)}.`;
}

function openCalls(open: number, name: string, runner: string | null): string {
  const are = open === 1 ? 'is' : 'are';
  const them = open === 1 ? 'it' : 'them';
  const who = runner ?? `\`callsheet collect ${name}\``;
  return `${counted(open, 'call')} ${are} still open; ${who} brings ${them} in.`;
}

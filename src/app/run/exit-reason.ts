import { title } from '../../domain/calling/policy.ts';
import type { NextOpening, Openings } from '../../domain/calling/openings.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import type { Campaign, Progress } from '../../store/port.ts';
import { asSentence, counted, shellWord } from '../../text/wording.ts';
import { unfinishedSentence, type UnfinishedImport } from '../plan/unfinished-import.ts';
import { budgetEnd, type BudgetView } from '../nights/budget-lines.ts';
import { openingText, shutText } from '../sentences/hours-lines.ts';
import { NEWER } from '../suppression/suppression-age.ts';
import type { WatchedEnd } from './watched-run.ts';

/** Why a command on a campaign ended, in one line, and its exit code. */
export interface ExitReason {
  code: ExitCode;
  why: string;
  /** When there is work again, epoch ms; null: at any time, never, or after a person has acted. */
  nextAt: number | null;
  /** What a person is needed for, as a word for programs, e.g. `doubts`; left out: nobody is. */
  attention?: string | undefined;
}

/** What a run has observed; empty when a campaign is only inspected. */
export interface Seen extends Partial<WatchedEnd> {
  /** The processes that run the campaign now, e.g. `pid 4711`, and those of them that dial; null: none. */
  runner?: string | null;
  calls?: string | null;
  /** An import that is not finished: nobody is called before that. */
  unfinished?: UnfinishedImport | undefined;
  /** How many of those who wait may be called by the hours; left out: hours were not looked at. */
  hours?: Openings | undefined;
  /** What the campaign's budgets allow; left out: it has none, or they were not looked at. */
  budget?: BudgetView | null;
}

/** The exit code for a campaign's state. If several apply, the first of: interrupted, key, person, waiting, ok. */
export function exitReason(
  campaign: Campaign,
  progress: Progress,
  now: number,
  seen: Seen = {},
): ExitReason {
  const { pauseReason, state } = campaign;
  const { waiting, open, doubts, nextDueAt } = progress;
  const name = shellWord(campaign.name);
  const waits = `${counted(waiting, 'lead')} ${waiting === 1 ? 'waits' : 'wait'}`;
  const { unfinished } = seen;
  const pauseDetail = asSentence(campaign.pauseDetail ?? '');
  // A lead may be due while the run has to wait longer, e.g. for a backoff: the later of the two times counts.
  const nextDue = Math.max(nextDueAt ?? 0, seen.nextAt ?? 0);
  const opening = hoursClosed(seen.hours);
  const later = waiting > 0 && nextDue > now ? Math.max(nextDue, opening?.at ?? 0) : opening?.at;
  const goOn = `Mend that; \`callsheet run ${name}\` then asks the service again and goes on.`;
  const ended = (code: ExitCode, why: string, nextAt: number | null = null): ExitReason => ({
    code,
    why: open > 0 ? `${why} ${openCalls(open, name, seen.runner ?? null)}` : why,
    nextAt,
  });
  const forPerson = (attention: string, exit: ExitReason): ExitReason => ({ ...exit, attention });
  const person = (attention: string, why: string, at: number | null = null) =>
    forPerson(attention, ended(EXIT.person, `A person is needed: ${why}`, at));

  // What is left to do after an interrupted run, which may be nothing.
  const left = (): string => {
    if (state === 'cancelled') return 'the campaign is cancelled.';
    if (unfinished !== undefined) return `${waits}. ${unfinishedSentence(unfinished, campaign)}`;
    if (waiting > 0) return `${waits}; \`callsheet run ${name}\` goes on.`;
    if (doubts > 0)
      return `nobody waits; \`callsheet resolve ${name}\` settles ${counted(doubts, 'call')} in doubt.`;
    return open > 0 ? 'nobody waits to be called.' : 'every lead is final all the same.';
  };
  if (seen.interrupted === true) {
    return ended(EXIT.interrupted, `Interrupted: ${left()}`);
  }
  if (pauseReason === 'key')
    return forPerson('key', ended(EXIT.key, `Paused: ${pauseDetail} ${goOn}`));
  if (seen.keyRefused === true) {
    return forPerson(
      'key',
      ended(EXIT.key, `The service refused the key: calls cannot be read. ${goOn}`),
    );
  }
  if (pauseReason === 'profile' || pauseReason === 'breaker') {
    return forPerson(
      pauseReason,
      ended(EXIT.person, `Paused, a person is needed: ${pauseDetail} ${goOn}`),
    );
  }
  if (seen.dispatch === 'store_failing') {
    return person('database', `the database could not be written. ${goOn}`);
  }
  if (seen.dispatch === 'disk_full' && waiting > 0) {
    return person(
      'disk_full',
      `the disk of the database has less than 64 MB free, so no more calls are made; ${waits}. Make room; \`callsheet run ${name}\` then goes on.`,
    );
  }
  if (seen.suppressionTooOld === true && waiting > 0) {
    return person(
      'list_too_old',
      `the suppression list is older than suppression.maxAge or a rule allows, so no more calls are made; ${waits}. ${NEWER}; \`callsheet run ${name}\` then goes on.`,
    );
  }
  if (doubts > 0) {
    const which = doubts === 1 ? '1 call was' : `${counted(doubts, 'call')} were`;
    const goesOn =
      unfinished === undefined
        ? `${waits}; \`callsheet run ${name}\` goes on.`
        : unfinishedSentence(unfinished, campaign);
    const rest = waiting > 0 || unfinished !== undefined ? ` ${goesOn}` : '';
    return person(
      'doubts',
      `it is not known whether ${which} made; nobody is called again for it. \`callsheet resolve ${name}\` lists and settles ${doubts === 1 ? 'it' : 'them'}.${rest}`,
      later,
    );
  }
  if (state === 'cancelled') {
    return ended(open > 0 ? EXIT.waiting : EXIT.ok, 'The campaign is cancelled.');
  }
  if (pauseReason === 'operator' && waiting > 0) {
    return ended(
      EXIT.waiting,
      `The campaign is paused: ${waits}; \`callsheet resume ${name}\`, then \`callsheet run ${name}\`.`,
    );
  }
  if (unfinished !== undefined) {
    const code = unfinished.is === 'going_on' ? EXIT.waiting : EXIT.person;
    const exit = ended(code, `${waits}. ${unfinishedSentence(unfinished, campaign)}`);
    return code === EXIT.person ? forPerson('import', exit) : exit;
  }
  if (waiting > 0) {
    const next = seen.calls == null ? `\`callsheet run ${name}\` goes on` : `${seen.calls} calls`;
    const { hours } = seen;
    if (hours !== undefined && hours.now === 0 && hours.later === 0)
      return person(
        'never_open',
        `nobody may ever be called: ${waits}. ${hours.shut.map(shutText).join(' ')}`,
      );
    const held = budgetEnd(seen.budget ?? null, campaign);
    if (held?.code === EXIT.person) return person('budget', `${held.clause}. ${waits}.`);
    if (held !== null) {
      return ended(held.code, `${title(held.clause)}. ${waits}; ${next}.`, held.nextAt);
    }
    const text =
      opening === null ? '' : `Nobody may be called now. ${opensText(opening, campaign)} `;
    return ended(
      EXIT.waiting,
      `${stopReason(seen.dispatch)}${text}${waits}; ${next}.`,
      later ?? null,
    );
  }
  if (open > 0) return ended(EXIT.waiting, 'Nobody waits to be called.');
  const stays = pauseReason === null ? '' : ' The campaign stays paused.';
  return ended(EXIT.ok, `Every lead is final.${stays}`);
}

/** The next opening while no hours are open; null: they are, or will not be. */
function hoursClosed(hours: Openings | undefined): NextOpening | null {
  return hours !== undefined && hours.now === 0 ? hours.next : null;
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

function stopReason(dispatch: Seen['dispatch']): string {
  if (dispatch === 'limit') return 'Stopped at --limit: ';
  return dispatch === 'until' ? 'Stopped at --until: ' : '';
}

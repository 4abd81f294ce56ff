import type { Campaign, Progress } from '../store/port.ts';
import { EXIT, type ExitCode } from '../runtime/errors.ts';

/** Why a command that works on a campaign ended, in one line, and its exit code. */
export interface Outcome {
  code: ExitCode;
  why: string;
  /** When there is something to do again, epoch ms; null: never, or when a person has acted. */
  nextAt: number | null;
}

/**
 * What a campaign's state means for the exit code. Where several hold: interrupted, key, person, waiting, ok.
 *
 * @param interrupted true after Ctrl-C
 */
export function outcomeOf(campaign: Campaign, progress: Progress, interrupted: boolean): Outcome {
  const { name, pauseReason, state } = campaign;
  const { waiting, open, doubts, nextDueAt } = progress;
  const stillOpen =
    open > 0 ? ` ${callsOpen(open)}; \`callsheet collect ${name}\` brings them in.` : '';
  const done = (code: ExitCode, why: string, nextAt: number | null = null): Outcome => ({
    code,
    why: `${why}${stillOpen}`,
    nextAt,
  });

  if (interrupted) {
    return done(
      EXIT.interrupted,
      `Interrupted: ${waiting} leads wait; \`callsheet run ${name}\` goes on.`,
    );
  }
  if (pauseReason === 'key') {
    return done(
      EXIT.key,
      `The service refused the key: ${campaign.pauseDetail ?? ''} ${goOn(name)}`,
    );
  }
  if (pauseReason === 'profile' || pauseReason === 'breaker') {
    return done(EXIT.person, `A person is needed: ${campaign.pauseDetail ?? ''} ${goOn(name)}`);
  }
  if (doubts > 0) {
    const which = doubts === 1 ? '1 call is' : `${doubts} calls are`;
    return done(
      EXIT.person,
      `A person is needed: whether ${which} made is not known; nobody is called again for it. See \`callsheet status ${name}\`.`,
    );
  }
  if (state === 'cancelled')
    return done(open > 0 ? EXIT.waiting : EXIT.ok, 'The campaign is cancelled.');
  if (pauseReason === 'operator') {
    return done(
      EXIT.waiting,
      `The campaign is paused: ${waiting} leads wait; \`callsheet resume ${name}\`, then \`callsheet run ${name}\`.`,
    );
  }
  if (waiting > 0 || open > 0) {
    return done(
      EXIT.waiting,
      `${waiting} leads wait; \`callsheet run ${name}\` goes on.`,
      nextDueAt,
    );
  }
  return done(EXIT.ok, 'Every lead is final.');
}

function callsOpen(count: number): string {
  return count === 1 ? '1 call is still open' : `${count} calls are still open`;
}

function goOn(name: string): string {
  return `Then \`callsheet run ${name}\` tries the service again and goes on.`;
}

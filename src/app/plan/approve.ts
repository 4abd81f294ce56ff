import { grouped } from '../../text/amounts.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import type { World } from '../world.ts';
import { requireConfirmed } from '../confirmed.ts';
import { refuseOtherAgent } from '../services/ask-first.ts';
import type { Plan } from './plan.ts';

/**
 * What a campaign that exists does not allow.
 *
 * @throws AppError those of `refuseOtherAgent`, and `CAMPAIGN_LIST_DIFFERS` (exit 2)
 */
export function refuseMistakes(plan: Plan, { add }: { add: boolean }): void {
  refuseOtherAgent(plan);
  const { campaign, others, name } = plan;
  const [other] = others;
  if (campaign === undefined || other === undefined || add) return;
  throw new AppError(
    'CAMPAIGN_LIST_DIFFERS',
    `${other.path} is not the list that campaign "${name}" was made from: its bytes differ.`,
    {
      hint: 'give --add to let its new rows join, or --name to begin another campaign',
      exitCode: EXIT.usage,
    },
  );
}

/**
 * Asks before people are called.
 *
 * @param people how many wait to be called
 * @param limit calls at most in this run; null: no limit
 * @throws AppError `NOT_CONFIRMED` (exit 2)
 */
export async function requireYes(
  people: number,
  yes: boolean,
  world: World,
  limit: number | null = null,
): Promise<void> {
  if (yes) return;
  await requireConfirmed(
    {
      question: `${whatHappens(people, limit)} Type yes to start:`,
      needed: 'Calls to real people need a yes',
      undone: 'nobody was called, nothing was changed',
    },
    world,
  );
}

function whatHappens(people: number, limit: number | null): string {
  if (people === 0) return 'This calls nobody: whoever waits was called before and is left out.';
  const who = people === 1 ? '1 real person' : `${grouped(people)} real people`;
  if (limit === null || limit >= people) return `This calls ${who}.`;
  return `This calls ${grouped(limit)} of ${who} (--limit ${limit}).`;
}

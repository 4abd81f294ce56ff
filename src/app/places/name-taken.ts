import { usageError, type AppError } from '../../runtime/errors.ts';

/** Refuses the name of a new campaign that another one has: `CAMPAIGN_EXISTS` (exit 2). */
export function nameTaken(name: string): AppError {
  return usageError(
    'CAMPAIGN_EXISTS',
    `There is a campaign "${name}" already; a new one needs a name of its own.`,
    'choose another name',
  );
}

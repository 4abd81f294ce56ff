import { usageError, type AppError } from '../../runtime/errors.ts';

export function nameTaken(name: string): AppError {
  return usageError(
    'CAMPAIGN_EXISTS',
    `There is a campaign "${name}" already; a new one needs a name of its own.`,
    'choose another name',
  );
}

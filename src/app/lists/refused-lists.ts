import { AppError, EXIT, usageError } from '../../runtime/errors.ts';
import { counted } from '../../text/plural.ts';
import type { ListInput } from '../plan/plan-lists.ts';
import type { Survey } from '../../leads/survey.ts';

/** The error for lists without anybody to call. It has an example of each reason, so `check` would add nothing. */
export function nobodyToCall(surveys: readonly Survey[], { choices }: ListInput): AppError {
  const [first] = surveys;
  const examples = Object.keys(first?.byReason ?? {}).flatMap(
    (code) => first?.examples.find((one) => one.code === code) ?? [],
  );
  const lines = examples.map(({ line, text }) => `line ${line}: ${text}`);
  const { rows = 0, path = 'The list', byReason = {} } = first ?? {};
  const needsCountry = (byReason.no_country ?? 0) > 0;
  const allAsk = rows > 0 && first?.suppressed === rows;
  const areUnclear = rows > 0 && (byReason.unclear_consent ?? 0) === rows;
  const phone = choices.find(({ target }) => target === 'phone');
  const column = phone?.column ?? first?.scanned.headers[first.scanned.mapping.phones[0] ?? 0];
  return usageError(
    'LIST_HAS_NO_GOOD_ROW',
    [`${path}: none of ${counted(rows, 'row')} has a number that can be called.`, ...lines],
    needsCountry
      ? 'give --country with the two-letter code of the numbers, e.g. --country US'
      : allAsk
        ? 'give another list; `import` and `run` keep this one only as numbers that no campaign calls'
        : areUnclear
          ? 'mend these rows, or give the flag that they name'
          : `mend these rows, or give a column other than "${column ?? ''}" with --map phone="NAME"`,
  );
}

/** Whether a list has neither people for a campaign nor any who ask not to be called. */
export function bringsNothing({ good, suppressed, byReason }: Survey): boolean {
  return good + suppressed + (byReason.already_in_campaign ?? 0) === 0;
}

/** Errors that say nothing of the list itself: it is tried again at the next look. */
const LATER = ['LIST_UNFINISHED', 'LIST_CHANGED', 'LIST_NOT_FOUND', 'CAMPAIGN_ARCHIVED'];

/** Whether a list is to be refused for this error; any other one concerns the machine, the campaign or the moment. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.exitCode === EXIT.usage && !LATER.includes(error.code);
}

import type { ResolvedSettings } from '../config/settings.ts';
import { surveyList, type Survey } from '../leads/survey.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { Campaign, ExportCursor, List, Store } from '../store/port.ts';
import { counted } from './plural.ts';

/** What the lists would bring to the campaign. */
export interface PlannedLists {
  /** Lists to import: new ones, those whose import was broken off, and all when the country has changed. */
  surveys: Survey[];
  /** Of these, the ones that the campaign was not made from: they need --add. */
  others: Survey[];
  /** Lists of the campaign whose bytes were given again. */
  known: List[];
  /** The numbers of all lists that were given, known ones too. */
  phones: ReadonlySet<string>;
  /** Good rows whose numbers the campaign does not have yet. */
  fresh: number;
}

const ROWS_PER_PAGE = 500;

/**
 * Lists are known by their bytes: the same bytes are read again only when their import was broken off, or
 * when another country may make good what was rejected for want of one.
 *
 * @throws AppError `LIST_HAS_NO_GOOD_ROW` for a new campaign without anybody to call, and those of `surveyList`
 */
export async function readLists(
  paths: readonly string[],
  { settings, changes }: ResolvedSettings,
  live: boolean,
  store: Store | undefined,
  campaign: Campaign | undefined,
): Promise<PlannedLists> {
  const stored = campaign === undefined ? [] : ((await store?.lists(campaign.id)) ?? []);
  const isOtherCountry = changes.some(({ key }) => key === 'country');
  const surveys: Survey[] = [];
  const others: Survey[] = [];
  const known: List[] = [];
  const phones = new Set<string>();
  for (const path of paths) {
    const survey = await surveyList(path, {
      country: settings.country,
      refuseFictional: live,
      collectPhones: true,
    });
    for (const phone of survey.phones ?? []) phones.add(phone);
    const same = stored.find(({ sha256 }) => sha256 === survey.sha256);
    if (same !== undefined) known.push(same);
    else if (stored.length > 0) others.push(survey);
    if (same === undefined || same.finishedAt === null || isOtherCountry) surveys.push(survey);
  }
  const isNew = campaign === undefined || stored.length === 0;
  if (isNew && !surveys.some(({ good }) => good > 0)) throw nobodyToCall(surveys);
  return { surveys, others, known, phones, fresh: await countFresh(surveys, store, campaign) };
}

function nobodyToCall(surveys: readonly Survey[]): AppError {
  const [first] = surveys;
  const example = first?.examples[0];
  const why = example === undefined ? '' : `; line ${example.line}: ${example.text}`;
  const needsCountry = (first?.byReason.no_country ?? 0) > 0;
  return new AppError(
    'LIST_HAS_NO_GOOD_ROW',
    `${first?.path ?? 'The list'}: none of ${counted(first?.rows ?? 0, 'row')} has a number that can be called${why}.`,
    {
      hint: needsCountry
        ? 'give --country with the two-letter code of the numbers, e.g. --country US'
        : '`callsheet check <list>` shows what is wrong with each row',
      exitCode: EXIT.usage,
    },
  );
}

async function countFresh(
  surveys: readonly Survey[],
  store: Store | undefined,
  campaign: Campaign | undefined,
): Promise<number> {
  const phones = new Set<string>(surveys.flatMap((survey) => [...(survey.phones ?? [])]));
  if (store === undefined || campaign === undefined || phones.size === 0) return phones.size;
  let after: ExportCursor | null = null;
  for (;;) {
    const page = await store.exportPage(campaign.id, after, ROWS_PER_PAGE);
    for (const { phone } of page) phones.delete(phone);
    const last = page.at(-1);
    if (last === undefined || page.length < ROWS_PER_PAGE) return phones.size;
    after = last.cursor;
  }
}

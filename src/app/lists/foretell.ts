import { isAddress } from '../../domain/lists/list-mapping.ts';
import { isComplete } from '../../leads/folders/candidates.ts';
import { columnsUndecided } from '../../leads/rows/column-questions.ts';
import { surveyList, type Survey } from '../../leads/import.ts';
import { messageOf } from '../../runtime/errors.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { grouped } from '../../text/amounts.ts';
import { lookUpIn, mappingsFor, type PlannedLists, type Reading } from '../plan/plan-lists.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import type { World } from '../world.ts';
import { bringsNothing, isRefusal, scanPlaces, type Candidate } from './scan-places.ts';

/**
 * Adds what the next opening would take from a campaign's folders and globs: as sentences and, where the campaign has no
 * list yet, as lists. Reads each list and writes nothing; addresses are not asked. A file counts as complete when it was
 * changed at least 5 s ago.
 */
export async function withForetold(
  lists: PlannedLists,
  { sources, country, numbers, policy }: CampaignSettings,
  reading: Omit<Reading, 'input'> & { name: string; takes: string | undefined },
  world: World,
): Promise<PlannedLists> {
  if (sources === undefined) return lists;
  const { store, campaign, live } = reading;
  const stored = campaign === undefined ? [] : ((await store?.lists(campaign.id)) ?? []);
  const { candidates, problems } = await scanPlaces(sources);
  const addresses = sources.from.filter(isAddress);
  const lines = [...problems, ...addresses.map((one) => `${one} would be asked for a list.`)];
  if (candidates.length === 0 && lines.length === 0)
    lines.push(`No list is in ${sources.from.join(', ')} now.`);
  let first: string | undefined;
  const surveys: Survey[] = [];
  for (const candidate of candidates) lines.push(await foretell(candidate));
  const takes = reading.takes ?? first;
  if (takes !== undefined && surveys.length < candidates.length)
    lines.push(
      `People of lists that are not taken yet are not in the forecast; \`callsheet import ${shellWord(reading.name)} ${shellWord(takes)}\` takes ${reading.takes === undefined ? 'the first' : 'them'} and calls nobody.`,
    );
  const fresh = surveys.reduce((sum, survey) => sum + survey.fresh, lists.fresh);
  return { ...lists, fresh, surveys: [...lists.surveys, ...surveys], fromPlaces: lines };

  async function foretell({ path, state, markedAt, outside }: Candidate): Promise<string> {
    if (outside !== null) return `${path} would be refused: it is a link out of its folder.`;
    const before = { state, agoMs: world.clock.now() - state.mtimeMs };
    if (!isComplete(state, before, markedAt))
      return `${path} would wait: it is empty, or was changed in the last 5 s.`;
    try {
      const survey = await surveyList(path, {
        known: (list) => mappingsFor(list, stored),
        country,
        policy: numbers,
        refuseFictional: live,
        now: world.clock.now(),
        calling: policy,
        lookUp: lookUpIn(reading, [...lists.surveys, ...surveys], world),
      });
      const { rows, good, suppressed } = survey;
      if (bringsNothing(survey))
        return `${path} would be refused: none of ${counted(rows, 'row')} is good.`;
      first ??= path;
      const asked = suppressed === 0 ? '' : `, ${grouped(suppressed)} not to be called`;
      const { scanned } = survey;
      const question = columnsUndecided(scanned, scanned.memory.cells);
      const held = question === undefined ? '' : ` Rows held back: ${question.message}`;
      const isCounted = stored.length === 0 && question === undefined;
      if (isCounted) surveys.push(survey);
      const added = isCounted ? '' : '; numbers the campaign has already are not added';
      return `${path} would be taken: ${counted(rows, 'row')}, ${grouped(good)} good${asked}${added}.${held}`;
    } catch (error) {
      if (isRefusal(error)) return `${path} would be refused: ${messageOf(error)}`;
      return `${path} would stay: ${messageOf(error)}`;
    }
  }
}

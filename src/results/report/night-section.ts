import { basename } from 'node:path';
import { nightText } from '../../domain/nights/night.ts';
import { costSumText, durationText, grouped, percent } from '../../text/amounts.ts';
import { counted, someOf } from '../../text/plural.ts';
import type { NightChange, NightFigures } from '../night-change.ts';
import { MEANING } from '../summary.ts';
import { barTable } from './charts.ts';
import { html, type Html } from './html.ts';

/** The night of a report page. */
export interface NightOfPage {
  change: NightChange;
  /** True: all figures and calls of the page are those of this night. */
  alone: boolean;
}

/** What a night has brought beside the night before, as a part of the report page. */
export function nightSection({ tonight, before, final, optOuts, lists }: NightChange): Html {
  const first = before === null;
  return html`<section>
      <h2>${first ? 'The first night' : 'Since the night before'}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Night of</th>
            ${first ? null : html`<th scope="col" class="n">${dateOf(before)}</th>`}
            <th scope="col" class="n">${dateOf(tonight)}</th>
          </tr>
        </thead>
        <tbody>
          ${[...factsOf(tonight, before), optOutFact(optOuts)].map(
            ([what, then, now]) =>
              html`<tr>
                <th scope="row">${what}</th>
                ${first ? null : html`<td class="n">${then}</td>`}
                <td class="n">${now}</td>
              </tr> `,
          )}
        </tbody>
      </table>
      <p class="note">${endText(tonight)} ${listText(lists)}</p>
    </section>
    <section>
      <h2>Final by calls of this night</h2>
      ${finalOf(final)}
    </section>`;
}

const dateOf = ({ night }: NightFigures) => nightText({ date: night });

function optOutFact({ tonight, before }: NightChange['optOuts']): [string, string, string] {
  return ['Asked not to be called again', grouped(before), grouped(tonight)];
}

function factsOf(tonight: NightFigures, before: NightFigures | null): [string, string, string][] {
  const fact = (what: string, text: (of: NightFigures) => string): [string, string, string] => [
    what,
    before === null ? '' : text(before),
    text(tonight),
  ];
  const units = [...(before?.costs ?? []), ...tonight.costs].map(({ currency }) => currency);
  return [
    fact('Calls made', ({ made }) => grouped(made)),
    fact('Refused by the service', ({ refused }) => grouped(refused)),
    fact('In doubt', ({ inDoubt }) => grouped(inDoubt)),
    fact('Not made', ({ notMade }) => grouped(notMade)),
    fact('Answered', ({ answered }) => grouped(answered)),
    fact('Answer rate', ({ answered, ended }) => percent(answered, ended)),
    fact('Talk time of all calls', ({ talkMs }) => durationText(talkMs)),
    ...[...new Set(units)].map((unit) =>
      fact('Cost', ({ costs }) => {
        const cost = costs.find(({ currency }) => currency === unit);
        return cost === undefined ? '-' : costSumText(cost.total, unit);
      }),
    ),
  ];
}

function endText({ endedBy }: NightFigures): string {
  return endedBy === null
    ? 'No budget ended this night.'
    : `The budget ${endedBy} ended the calls of this night.`;
}

function listText(lists: NightChange['lists']): string {
  if (lists.length === 0) return 'No new list.';
  const names = lists.map(({ path, good }) => `${basename(path)} (${counted(good, 'lead')})`);
  return `New ${lists.length === 1 ? 'list' : 'lists'}: ${someOf(names, MOST_LISTS)}.`;
}

/** More than this many lists are counted and not named. */
const MOST_LISTS = 10;

/** Leads that ended without a call, such as suppressed ones, are counted with all leads only. */
function finalOf(final: NightChange['final']): Html {
  if (final.length === 0) return html`<p class="note">Nobody became final by a call.</p>`;
  const rows = final.map(({ result, leads }) => [result, leads, MEANING[result]] as const);
  return barTable(
    'Result',
    rows,
    final.reduce((sum, { leads }) => sum + leads, 0),
  );
}

import type { NightEnd } from '../../../domain/nights/night-end.ts';
import type { Nights } from '../../contract/results.ts';
import { query } from '../api/addresses.ts';
import { amount, counted, share } from '../parts/amounts.ts';
import { lengthText, Time } from '../parts/times.tsx';
import { nightName } from './night-name.ts';

type Figures = Omit<Nights['totals'], 'nights'>;

/** What each night has brought, the newest first. */
export function NightTable({ nights, current }: { nights: Nights; current: string }) {
  const { items, totals, older, timezone } = nights;
  const hasCosts = totals.costs.length > 0;
  return (
    <>
      <div class="table-box" tabIndex={0} role="region" aria-label="Table of nights">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Night</th>
              <th scope="col">Called</th>
              {['Calls made', 'Refused', 'In doubt', 'Not made'].map((count) => (
                <th key={count} scope="col" class="number">
                  {count}
                </th>
              ))}
              <th scope="col" class="number">
                Answered
              </th>
              <th scope="col" class="number">
                Talk time
              </th>
              {hasCosts && (
                <th scope="col" class="number">
                  Cost
                </th>
              )}
              <th scope="col">Why it ended</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ night, beganAt, lastAt, end, endedBy, ...figures }) => (
              <tr key={night}>
                <th scope="row" class="nowrap">
                  <a href={query({ night })} aria-current={night === current ? 'true' : undefined}>
                    {nightName(night)}
                  </a>
                </th>
                <td class="nowrap">
                  <Time at={beganAt} zone={timezone} parts="time" /> –{' '}
                  <Time at={lastAt} zone={timezone} parts="time" />
                </td>
                <FigureCells figures={figures} hasCosts={hasCosts} />
                <td>{end === null ? '–' : endText(end, endedBy)}</td>
              </tr>
            ))}
          </tbody>
          {items.length + older > 1 && (
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  {counted(totals.nights, 'night')}
                </th>
                <FigureCells figures={totals} hasCosts={hasCosts} />
                <td />
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <p class="soft small-text">
        Talk time here is that of all calls, as the budget of talk time counts it: also where a
        machine answered, and the longest that a call can have been where the service gave no
        duration.
      </p>
      {older > 0 && (
        <p class="soft small-text">
          {counted(older, 'older night')} not shown; the last line counts them too.
        </p>
      )}
    </>
  );
}

function FigureCells({ figures, hasCosts }: { figures: Figures; hasCosts: boolean }) {
  const { made, refused, inDoubt, notMade, ended, answered, talkMs, costs } = figures;
  return (
    <>
      {[made, refused, inDoubt, notMade].map((count, i) => (
        <td key={i} class="number">
          {amount(count)}
        </td>
      ))}
      <td class="number nowrap">
        {amount(answered)} <span class="soft">{share(ended === 0 ? null : answered / ended)}</span>
      </td>
      <td class="number nowrap">{lengthText(talkMs)}</td>
      {hasCosts && (
        <td class="number nowrap">
          {costs.map(({ total, currency }) => `${total} ${currency}`).join(', ')}
        </td>
      )}
    </>
  );
}

function endText(end: NightEnd, endedBy: string | null): string {
  if (end !== 'budget') return ENDS[end];
  const [, key = '', total] = (endedBy ?? '').split('.');
  return total === undefined ? (BUDGETS[key] ?? ENDS.budget) : 'the total budget was used up';
}

const ENDS: Readonly<Record<NightEnd, string>> = {
  final: 'everybody is final',
  cancelled: 'cancelled',
  paused: 'paused',
  budget: 'a budget was used up',
  hours: 'the hours closed',
  due: 'nobody else was due',
  limit: 'the number of calls asked for was made',
  until: 'the time asked for had come',
  interrupted: 'interrupted',
  person: 'it needed a person',
  atWork: 'at work now',
  notKnown: 'not known',
};

/** By the key of `stop`. */
const BUDGETS: Readonly<Record<string, string>> = {
  calls: 'the budget of calls was used up',
  talkMinutes: 'the budget of talk time was used up',
  cost: 'the budget of cost was used up',
  answered: 'the budget of answers was used up',
  at: 'the time of stop.at had come',
};

import type { Rehearsal } from '../../contract/campaigns.ts';
import { amount } from './amounts.ts';
import { RESULTS, wordOf } from './result-words.ts';
import { Said } from './said.tsx';
import { Time } from './times.tsx';

/** What would happen, night by night; nobody was called. */
export function RehearsalReport({ report, zone }: { report: Rehearsal; zone: string }) {
  return (
    <div class="stack">
      <ul class="stack tight" role="list">
        {report.lines.map((line) => (
          <li key={line} class="break">
            <Said text={line} />
          </li>
        ))}
      </ul>
      {report.nights.length > 0 && (
        <div class="table-box" tabIndex={0} role="region" aria-label="Nights of the rehearsal">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Night</th>
                <th scope="col">First call</th>
                <th scope="col">Last call</th>
                <th scope="col" class="number">
                  Calls
                </th>
                <th scope="col" class="number">
                  Reached
                </th>
                <th scope="col">Results</th>
              </tr>
            </thead>
            <tbody>
              {report.nights.map((night) => (
                <tr key={night.night}>
                  <th scope="row" class="nowrap">
                    {night.night}
                  </th>
                  <td>
                    <Time at={night.firstAt} zone={zone} parts="time" />
                  </td>
                  <td>
                    <Time at={night.lastAt} zone={zone} parts="time" />
                  </td>
                  <td class="number">{amount(night.calls)}</td>
                  <td class="number">{amount(night.reached)}</td>
                  <td>
                    {Object.entries(night.results)
                      .map(([result, count]) => `${wordOf(RESULTS, result).text} ${amount(count)}`)
                      .join(', ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

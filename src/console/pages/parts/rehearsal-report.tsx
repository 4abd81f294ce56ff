import type { RehearsalReport as Report } from '../../../views/rehearsal.ts';
import { amount } from './amounts.ts';
import { RESULTS, wordOf } from './badge.tsx';
import { Said } from './notice.tsx';
import { Time } from './times.tsx';
import { Table } from './tables/table.tsx';

/** What would happen, night by night; nobody was called. */
export function RehearsalReport({ report, zone }: { report: Report; zone: string }) {
  return (
    <div class="stack">
      <ul class="stack tight" role="list">
        {[report.ending, ...report.never, ...report.advice].map((line) => (
          <li key={line} class="break">
            <Said text={line} />
          </li>
        ))}
      </ul>
      {report.nights.length > 0 && (
        <Table
          label="Nights of the rehearsal"
          heads={[
            'Night',
            'First call',
            'Last call',
            { text: 'Calls', isNumber: true },
            { text: 'Reached', isNumber: true },
            'Results',
          ]}
        >
          {report.nights.map((night) => (
            <tr key={night.night}>
              <th scope="row" class="nowrap">
                {night.night}
              </th>
              <td>
                <Time at={night.firstCallAt} zone={zone} parts="time" />
              </td>
              <td>
                <Time at={night.lastCallAt} zone={zone} parts="time" />
              </td>
              <td class="number">{amount(night.calls)}</td>
              <td class="number">{amount(night.reached)}</td>
              <td class="long">
                {Object.entries(night.results)
                  .map(([result, count]) => `${wordOf(RESULTS, result).text} ${amount(count)}`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}

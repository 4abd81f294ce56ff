import type { Campaign } from '../../contract/campaigns.ts';
import { path } from '../api/addresses.ts';
import { amount, share } from '../parts/amounts.ts';
import { ResultBadge } from '../parts/badge.tsx';

/** How the people of a campaign came out: a bar, a number and a word for each result. */
export function Outcomes({ campaign: { name, progress } }: { campaign: Campaign }) {
  const results = Object.entries(progress.results)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a);
  const most = Math.max(1, ...results.map(([, count]) => count));
  const all = results.reduce((sum, [, count]) => sum + count, 0);
  return (
    <section class="card padded">
      <h2>Outcomes</h2>
      {results.length === 0 ? (
        <p class="soft">Nobody has a result yet; they are counted here as calls end.</p>
      ) : (
        <table class="outcomes">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Result</th>
              <th scope="col">Bar</th>
              <th scope="col">People</th>
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {results.map(([result, count]) => (
              <tr key={result}>
                <th scope="row">
                  <a href={`${path`/campaigns/${name}`}/people?result=${result}`}>
                    <ResultBadge result={result} />
                  </a>
                </th>
                <td class="outcome-bar">
                  <div class="bar" aria-hidden="true">
                    <span style={{ width: `${(count / most) * 100}%` }} />
                  </div>
                </td>
                <td class="number">{amount(count)}</td>
                <td class="number soft">{share(count / all)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

import { path, query } from '../api/addresses.ts';
import { Icon } from '../parts/icon.tsx';
import { seesAll } from '../shell/session.ts';

/** The report: a page of its own, shown in a frame in which nothing runs. */
export function Report({ campaign, night }: { campaign: string; night: string }) {
  // Calls are told with what was said; without them there are figures.
  const calls = seesAll.value ? null : 0;
  const address = `/api/v1${path`/campaigns/${campaign}/report`}${query({ night, calls })}`;
  return (
    <section class="stack" aria-labelledby="report">
      <div class="row between">
        <div>
          <h2 id="report">Report</h2>
          <p class="soft small-text">
            A page that can be kept and sent
            {calls === 0
              ? '; without the calls, which hold what was said.'
              : ': figures, and the newest 500 calls.'}
          </p>
        </div>
        <div class="row tight">
          <a class="button" href={address} target="_blank" rel="noopener">
            Open on its own
          </a>
          <a class="button" href={address} download={`${campaign}-report.html`}>
            <Icon name="download" />
            Download
          </a>
        </div>
      </div>
      <iframe
        class="report"
        title={`Report of ${campaign}`}
        src={address}
        sandbox=""
        loading="lazy"
      />
    </section>
  );
}

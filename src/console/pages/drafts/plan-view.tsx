import type { Draft, Planned } from '../../contract/drafts.ts';
import { path } from '../api/addresses.ts';
import { amount } from '../parts/amounts.ts';
import { Notice } from '../parts/notice.tsx';
import { Said } from '../parts/said.tsx';
import { lengthText, machineZone, Time } from '../parts/times.tsx';

/** How many are called now, later and never, how long it takes, and what is missing. */
export function PlanView({ plan, draft }: { plan: Planned; draft: Draft }) {
  const zone = draft.settings['timezone'] ?? machineZone.value;
  const { forecast } = plan;
  return (
    <>
      {plan.missing.map(({ give, why }) => (
        <Notice
          key={give}
          tone="warn"
          action={
            <a class="button small" href={path`/drafts/${draft.id}/settings`}>
              Choose
            </a>
          }
        >
          <Said text={why} />
        </Notice>
      ))}
      {plan.problem !== null && (
        <Notice tone="bad" next={plan.next}>
          <Said text={plan.problem} />
        </Notice>
      )}
      <dl class="figures">
        <div>
          <dt>Call now</dt>
          <dd>
            {amount(plan.callNow)}
            <div class="note">{plan.live ? 'real people' : 'nobody real'}</div>
          </dd>
        </div>
        <div>
          <dt>Later</dt>
          <dd>
            {amount(plan.callLater)}
            <div class="note">
              {plan.nextAt === null ? (
                'when hours open'
              ) : (
                <>
                  from <Time at={plan.nextAt} zone={zone} />
                </>
              )}
            </div>
          </dd>
        </div>
        <div>
          <dt>Never</dt>
          <dd>
            {amount(plan.callNever)}
            <div class="note">by the rules and settings</div>
          </dd>
        </div>
        <div>
          <dt>Through after</dt>
          <dd>
            {forecast?.middle == null ? '–' : <Through at={forecast.middle} zone={zone} />}
            <div class="note">
              {forecast === null
                ? 'cannot be told'
                : `${amount(Math.round(forecast.calls))} calls in ${amount(Math.ceil(forecast.nights))} ${Math.ceil(forecast.nights) === 1 ? 'night' : 'nights'}`}
            </div>
          </dd>
        </div>
      </dl>
      <div class="card padded">
        <h2>The plan</h2>
        <ul class="stack tight" role="list">
          {[
            ...plan.sentences,
            ...(forecast?.sentences ?? []),
            ...plan.never.map(({ sentence }) => sentence),
          ].map((sentence, i) => (
            <li key={i} class="break">
              <Said text={sentence} />
            </li>
          ))}
        </ul>
        {plan.notes.map((note) => (
          <Notice key={note}>
            <Said text={note} />
          </Notice>
        ))}
      </div>
    </>
  );
}

/** The length until then, as it is seen when the plan is made. */
function Through({ at, zone }: { at: number; zone: string }) {
  const ms = at - Date.now();
  return ms > 0 && ms < 36 * 3_600_000 ? (
    <>{lengthText(ms)}</>
  ) : (
    <Time at={at} zone={zone} parts="day" />
  );
}

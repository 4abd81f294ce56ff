import type { ComponentChildren } from 'preact';
import type { Campaign } from '../../contract/campaigns.ts';
import { path } from '../api/addresses.ts';
import { Notice, type Tone } from '../parts/notice.tsx';
import { Said } from '../parts/said.tsx';
import { lengthText, Time } from '../parts/times.tsx';

/** What the state of a campaign means, in a sentence, with what to do about it on this page. */
export function StatusNotice({ campaign }: { campaign: Campaign }) {
  const { why, attention, nextOpeningAt, timezone } = campaign;
  const remedy = remedyOf(campaign);
  return (
    <div>
      <Notice
        tone={toneOf(campaign)}
        next={
          (remedy !== undefined || nextOpeningAt !== null) && (
            <>
              {remedy}
              {nextOpeningAt !== null && (
                <>
                  {' '}
                  Next opening: <Time at={nextOpeningAt} zone={timezone} />
                  {nextOpeningAt > Date.now() && `, in ${lengthText(nextOpeningAt - Date.now())}`}.
                </>
              )}
            </>
          )
        }
      >
        <span data-attention={attention}>
          <Said text={why} />
        </span>
      </Notice>
    </div>
  );
}

function toneOf({ attention, state }: Campaign): Tone {
  if (attention !== null) return 'bad';
  if (state === 'paused') return 'warn';
  return state === 'completed' ? 'good' : 'plain';
}

/** By what a person is needed for: what they can do here. */
function remedyOf(campaign: Campaign): ComponentChildren {
  const { name, attention, pauseReason, state, runner, progress } = campaign;
  const at = (tab: string) => `${path`/campaigns/${name}`}/${tab}`;
  switch (attention) {
    case 'key':
      return (
        <>
          Give the console's machine the right key; <a href="/services">Services</a> says which one
          it looks for. Resume then asks the service again before anybody is called.
        </>
      );
    case 'profile':
    case 'breaker':
      return (
        <>
          <a href="/services">Services</a> says how the service answers. When that is mended, Resume
          asks it again before anybody is called.
        </>
      );
    case 'doubts':
      return <a href={at('doubts')}>Settle the calls in doubt</a>;
    case 'list_too_old':
      return <a href="/suppression">Bring in a newer suppression list</a>;
    case 'never_open':
      return <a href={`${at('settings')}?change=hours`}>Change hours or rules</a>;
    case 'budget':
      return <a href={`${at('settings')}?change=stop`}>Change the budget</a>;
    case 'import':
      return 'Start, or Go on calling, first brings in the rows that are missing.';
    case null:
    default:
      if (pauseReason === 'operator') return 'Resume goes on with those who wait.';
      return state === 'running' && runner === null && progress.waiting > 0
        ? 'Press Go on calling to call those who wait.'
        : undefined;
  }
}

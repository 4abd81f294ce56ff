import type { Attempt } from '../../contract/people.ts';
import { ResultBadge } from '../parts/badge.tsx';
import { Copyable } from '../parts/forms/copy-button.tsx';
import { lengthText, Time } from '../parts/times.tsx';
import { seesAll } from '../shell/session.ts';

/** Every call of a person, the newest first, with what was said. */
export function PersonCalls({ calls, zone }: { calls: readonly Attempt[]; zone: string }) {
  return (
    <section class="stack">
      <h3>Calls</h3>
      {calls.length === 0 && <p class="soft">Nobody has called this person yet.</p>}
      {calls.toReversed().map((call) => (
        <Call key={call.id} call={call} zone={zone} />
      ))}
    </section>
  );
}

function Call({ call, zone }: { call: Attempt; zone: string }) {
  const { ordinal, result, state, intentAt, detail, summary, recordingUrl, callId } = call;
  return (
    <article class="person-call stack tight">
      <header class="row tight">
        <h4>Call {ordinal}</h4>
        <ResultBadge result={result} state={state} />
        <Time at={intentAt} zone={zone} />
        {recordingUrl !== null && (
          <a href={recordingUrl} target="_blank" rel="noreferrer">
            Recording
          </a>
        )}
      </header>
      <p class="soft small-text break">{figuresOf(call).join(' · ')}</p>
      {callId !== null && (
        <p class="soft small-text row tight">
          call id <Copyable text={callId} what={`the id of call ${ordinal}`} />
        </p>
      )}
      {detail !== null && <p class="break">{detail}</p>}
      {summary !== null && <p class="break">{summary}</p>}
      <Said call={call} />
    </article>
  );
}

/** `1 min 12 s`, `positive (0.8)`, `0.12 USD`: what is known of it. */
function figuresOf(call: Attempt): string[] {
  const { phone, durationSeconds, sentiment, cost, costCurrency, service, agent } = call;
  const score = sentiment?.score ?? null;
  return [
    phone,
    durationSeconds !== null && lengthText(durationSeconds * 1_000),
    sentiment !== null &&
      [sentiment.label, score === null ? null : `(${score})`].filter(Boolean).join(' '),
    cost !== null && `${cost} ${costCurrency ?? ''}`.trim(),
    `agent ${agent} at ${service}`,
  ].filter((figure) => figure !== false && figure !== '') as string[];
}

/** What was said, as a conversation. */
function Said({ call: { turns, transcript, ordinal } }: { call: Attempt }) {
  if (!seesAll.value) {
    return <p class="soft small-text">What was said is not shown to your role.</p>;
  }
  const whole = transcript?.trim() ?? '';
  if (turns.length === 0 && whole === '') return null;
  return (
    // It scrolls where much was said, so the keyboard has to get there.
    <div class="said" role="group" aria-label={`What was said in call ${ordinal}`} tabIndex={0}>
      {turns.map(({ speaker, text }, i) => (
        <p key={i} class={speaker}>
          <span class="speaker">{SPEAKERS[speaker]}</span>
          <span class="break">{text}</span>
        </p>
      ))}
      {whole !== '' && <p class="other break">{whole}</p>}
    </div>
  );
}

const SPEAKERS = { agent: 'Agent', person: 'Person', other: 'Other' } as const;

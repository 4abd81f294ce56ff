import { useState } from 'preact/hooks';

import { durationText } from '../../../text/amounts.ts';
import type { Call as CallView } from '../../../views/calls.ts';
import { ResultBadge } from '../parts/badge.tsx';
import { Copyable } from '../parts/forms/controls.tsx';
import { Facts } from '../parts/sheet.tsx';
import { Time } from '../parts/values.tsx';
import { seesAll } from '../shell/session.ts';
import { fileName } from './people-filters.tsx';

/** Every call of a person, the newest first, with what was said. */
export function PersonCalls({ calls, zone }: { calls: readonly CallView[]; zone: string }) {
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

function Call({ call, zone }: { call: CallView; zone: string }) {
  const [isSilent, setSilent] = useState(false);
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
      {recordingUrl?.startsWith('https:') === true &&
        (isSilent ? (
          <p class="soft small-text">The recording cannot be played here; its link opens it.</p>
        ) : (
          <audio
            controls
            preload="none"
            src={recordingUrl}
            aria-label={`Recording of call ${ordinal}`}
            onError={() => setSilent(true)}
          />
        ))}
      <p class="soft small-text break">{figuresOf(call).join(' · ')}</p>
      {callId !== null && (
        <p class="soft small-text row tight">
          call id <Copyable text={callId} what={`the id of call ${ordinal}`} />
        </p>
      )}
      {detail !== null && <p class="break">{detail}</p>}
      {summary !== null && <p class="break">{summary}</p>}
      <WhyAllowed evidence={call.evidence} />
      <WhatWasSaid call={call} />
    </article>
  );
}

/** What was known when the call was allowed. */
function WhyAllowed({ evidence }: Pick<CallView, 'evidence'>) {
  if (evidence === null) return null;
  const { clocks, rules, caps, consent, registries, approved } = evidence;
  const facts: (readonly [name: string, value: string])[] = [
    ...Object.entries(clocks).map(
      ([zone, at]) => [`Clock in ${zone}`, at.slice(0, 16).replace('T', ' ')] as const,
    ),
    ...Object.entries(rules).map(([rule, version]) => [`Rule ${rule}`, version] as const),
    ...caps.map(
      ({ by, made, calls, perMs }) =>
        [`Calls by ${by}`, `${made} of ${calls} in ${durationText(perMs)} before it`] as const,
    ),
    ...consent.map(({ column, value }) => [column, value] as const),
    ...registries.map(({ file, day }) => [`Asked ${fileName(file)}`, `of ${day}`] as const),
    ...(approved === null ? [] : [['Started by', approved.who] as const]),
  ];
  return (
    <details>
      <summary class="small-text">Why it was allowed</summary>
      <Facts rows={facts} />
    </details>
  );
}

/** `1 min 12 s`, `positive (0.8)`, `cost 0.12 USD`: what is known of it. */
function figuresOf(call: CallView): string[] {
  const { phone, durationSeconds, sentiment, cost, service, agent } = call;
  const score = sentiment?.score ?? null;
  return [
    phone,
    durationSeconds !== null && durationText(durationSeconds * 1_000),
    sentiment !== null &&
      [sentiment.label, score === null ? null : `(${score})`].filter(Boolean).join(' '),
    cost !== null && `cost ${cost.amount} ${cost.currency}`.trim(),
    `agent ${agent} at ${service}`,
  ].filter((figure) => figure !== false && figure !== '') as string[];
}

/** What was said, as a conversation. */
function WhatWasSaid({ call }: { call: CallView }) {
  if (!seesAll.value) {
    return <p class="soft small-text">What was said is not shown to your role.</p>;
  }
  const { transcript, ordinal } = call;
  const turns = call.turns ?? [];
  const whole = turns.length > 0 ? '' : (transcript?.trim() ?? '');
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

import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { textOrJson } from '../../../text/wording.ts';
import type { CampaignDetail } from '../../../views/campaigns.ts';
import type { Call as CallView } from '../../../views/calls.ts';
import type { Person } from '../../../views/people.ts';
import { consoleNow, get, path } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { ResultBadge } from '../parts/badge.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Copyable } from '../parts/forms/controls.tsx';
import { Loading, Notice, ProblemNotice, Said } from '../parts/notice.tsx';
import { lengthText, Time } from '../parts/values.tsx';
import { setParams } from '../shell/navigation.ts';
import { may, seesAll } from '../shell/session.ts';
import { fileName, zonesText } from './people-filters.tsx';
import { PersonActions } from './person-actions.tsx';
import './person.css';

/** Every call of a person, the newest first, with what was said. */
function PersonCalls({ calls, zone }: { calls: readonly CallView[]; zone: string }) {
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
            onError={() => {
              setSilent(true);
            }}
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
  const facts: [name: string, value: string][] = [
    ...Object.entries(clocks).map(([zone, at]): [string, string] => [
      `Clock in ${zone}`,
      at.slice(0, 16).replace('T', ' '),
    ]),
    ...Object.entries(rules).map(([rule, version]): [string, string] => [`Rule ${rule}`, version]),
    ...caps.map(({ by, made, calls, perMs }): [string, string] => [
      `Calls by ${by}`,
      `${made} of ${calls} in ${lengthText(perMs)} before it`,
    ]),
    ...consent.map(({ column, value }): [string, string] => [column, value]),
    ...registries.map(({ file, day }): [string, string] => [
      `Asked ${fileName(file)}`,
      `of ${day}`,
    ]),
    ...(approved === null ? [] : [['Started by', approved.who] as [string, string]]),
  ];
  return (
    <details>
      <summary class="small-text">Why it was allowed</summary>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    </details>
  );
}

/** `1 min 12 s`, `positive (0.8)`, `0.12 USD`: what is known of it. */
function figuresOf(call: CallView): string[] {
  const { phone, durationSeconds, sentiment, cost, service, agent } = call;
  const score = sentiment?.score ?? null;
  return [
    phone,
    durationSeconds !== null && lengthText(durationSeconds * 1_000),
    sentiment !== null &&
      [sentiment.label, score === null ? null : `(${score})`].filter(Boolean).join(' '),
    cost !== null && `${cost.amount} ${cost.currency}`.trim(),
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

/** Their row, as it stands in the list. */
function ListRow({ person }: { person: Person }) {
  const { cells, list, listPath, line } = person;
  return (
    <section class="stack tight">
      <h3>Row of the list</h3>
      <p class="soft small-text break">
        Line {line} of list {list}
        {listPath !== null && `, ${fileName(listPath)}`}
      </p>
      <dl class="facts">
        {cells.map(({ column, value }, i) => (
          <Fact key={i} name={column === '' ? `Column ${i + 1}` : column} value={value} />
        ))}
      </dl>
    </section>
  );
}

/** What the service noted as wishes during the calls. */
function CapturedLeads({ calls }: { calls: readonly CallView[] }) {
  const leads = calls.flatMap(({ capturedLeads }) => capturedLeads ?? []);
  if (leads.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>Captured leads</h3>
      {leads.map((lead, i) => (
        <dl key={i} class="facts">
          {Object.entries(lead).map(([name, value]) => (
            <Fact key={name} name={name} value={textOrJson(value)} />
          ))}
        </dl>
      ))}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt class="break">{name}</dt>
      <dd>{value === '' ? <span class="soft">–</span> : value}</dd>
    </>
  );
}

/** Everything about one person, beside the table. @param ticks when it changes, the person is read again */
export function PersonDrawer({
  campaign,
  id,
  ticks,
  onChanged,
}: {
  campaign: CampaignDetail;
  id: string;
  ticks: number;
  /** Something was done with them. */
  onChanged: () => void;
}) {
  const address = path`/campaigns/${campaign.name}/people/${id}`;
  const {
    value: person,
    problem,
    reload,
    set,
  } = useLoaded((signal) => get<Person>(address, signal), [address]);
  const [told, setTold] = useState<string[]>([]);
  useEffect(() => {
    if (ticks > 0) reload();
  }, [ticks]);
  const zone = campaign.timezone;
  return (
    <Dialog
      kind="drawer"
      title={person === undefined ? `Person ${id}` : (person.name ?? person.phone)}
      onClose={() => {
        setParams({ person: null });
      }}
    >
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {person === undefined && problem === undefined && <Loading what="the person" />}
      {person !== undefined && (
        <>
          <Head person={person} campaign={campaign} />
          <div>
            {may('operator') && (
              <PersonActions
                address={address}
                person={person}
                onChanged={({ person: changed, messages }) => {
                  set(changed);
                  setTold(messages.map(({ text }) => text));
                  onChanged();
                }}
              />
            )}
            <div role="status" class="person-told">
              {told.map((text) => (
                <Notice key={text} tone="good">
                  <Said text={text} />
                </Notice>
              ))}
            </div>
          </div>
          <PersonCalls calls={person.calls} zone={zone} />
          <CapturedLeads calls={person.calls} />
          <Story story={person.story} zone={zone} />
          <ListRow person={person} />
          {!seesAll.value && (
            <p class="soft small-text">
              Numbers are masked, and transcripts are not shown to your role. An admin may allow
              both.
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}

/** Who it is, how it stands with them, and why nobody calls them now. */
function Head({ person, campaign }: { person: Person; campaign: CampaignDetail }) {
  const { timezone: zone, runnerCalls, begins } = campaign;
  const { phone, name, state, result, reason, why, next, zones } = person;
  const { furtherNumbers, suppressed } = person;
  const at = next?.at != null && Date.parse(next.at) > consoleNow() ? next.at : null;
  // The next call then says all of it.
  const isPlanned = at !== null && (runnerCalls || begins?.isOn === true);
  const heldBy = next?.holds.find(({ by }) => by === next.by)?.why;
  return (
    <div class="stack">
      <p class="row tight">
        <ResultBadge result={result} state={state} />
        {seesAll.value ? (
          <Copyable text={phone} what="the number" />
        ) : (
          name !== null && <span class="number-like">{phone}</span>
        )}
        {reason !== null && <span class="soft break">{reason}</span>}
      </p>
      <dl class="facts">
        {why.length > 0 && !isPlanned && (
          <>
            <dt>Not called now</dt>
            <dd>
              <Said text={why.join('; ')} />
            </dd>
          </>
        )}
        <dt>Next call</dt>
        <dd>
          {at === null ? (
            <Said text={next?.text ?? 'none in this campaign'} />
          ) : (
            <>
              <Time at={at} zone={zone} />
              {zones
                .filter((theirs) => theirs !== zone)
                .map((theirs) => (
                  <span key={theirs} class="soft">
                    {' '}
                    (<Time at={at} zone={theirs} parts="time" /> by their clock)
                  </span>
                ))}
              {heldBy !== undefined && `, ${heldBy}`}
            </>
          )}
        </dd>
        <dt>Zone</dt>
        <dd>{zonesText(zones)}</dd>
        {furtherNumbers.length > 0 && (
          <>
            <dt>Further numbers</dt>
            <dd class="number-like">{furtherNumbers.join(', ')}</dd>
          </>
        )}
        {suppressed.map((one) => (
          <Fragment key={one.phone}>
            <dt>Suppressed</dt>
            <dd>
              <span class="number-like">{one.phone}</span>: {one.why}
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

/** From their line in the file to their result. */
function Story({ story, zone }: { story: Person['story']; zone: string }) {
  return (
    <section class="stack tight">
      <h3>What happened</h3>
      <ol class="person-story" role="list">
        {story.map(({ at, text }, i) => (
          <li key={i}>
            <Time at={at} zone={zone} />
            <span class="break">
              <Said text={text} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

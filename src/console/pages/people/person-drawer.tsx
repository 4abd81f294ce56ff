import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import './person.css';
import type { CampaignDetail } from '../../contract/campaigns.ts';
import type { PersonStory } from '../../contract/people.ts';
import { path } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { ResultBadge } from '../parts/badge.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Copyable } from '../parts/forms/copy-button.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { Said } from '../parts/said.tsx';
import { Time } from '../parts/times.tsx';
import { setParams } from '../shell/navigation.ts';
import { may, seesAll } from '../shell/session.ts';
import { zonesText } from './filter.ts';
import { PersonActions } from './person-actions.tsx';
import { PersonCalls } from './person-calls.tsx';
import { CapturedLeads, ListRow } from './person-list-row.tsx';

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
  } = useLoaded((signal) => get<PersonStory>(address, signal), [address]);
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
          <Head person={person} zone={zone} />
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
                  {text}
                </Notice>
              ))}
            </div>
          </div>
          <PersonCalls calls={person.attempts} zone={zone} />
          <CapturedLeads leads={person.capturedLeads} />
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
function Head({ person, zone }: { person: PersonStory; zone: string }) {
  const { phone, name, state, result, reason, why, next, nextAt, zones } = person;
  const { furtherNumbers, suppressed } = person;
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
        {why.length > 0 && (
          <>
            <dt>Not called now</dt>
            <dd>
              <Said text={why.join('; ')} />
            </dd>
          </>
        )}
        <dt>Next call</dt>
        <dd>
          <Said text={next ?? 'none in this campaign'} />
          {nextAt !== null && (
            <span class="soft">
              {' '}
              (<Time at={nextAt} zone={zone} />)
            </span>
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
function Story({ story, zone }: { story: PersonStory['story']; zone: string }) {
  return (
    <section class="stack tight">
      <h3>What happened</h3>
      <ol class="person-story" role="list">
        {story.map(({ at, text }, i) => (
          <li key={i}>
            <Time at={at} zone={zone} />
            <span class="break">{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

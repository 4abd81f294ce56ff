import { useState } from 'preact/hooks';

import { textOrJson } from '../../../text/wording.ts';
import type { CampaignDetail } from '../../../views/campaigns.ts';
import type { Call as CallView } from '../../../views/calls.ts';
import type { Person } from '../../../views/people.ts';
import { consoleNow, path } from '../api/client.ts';
import { asItCan, useRead } from '../api/loaded.ts';
import { ResultBadge } from '../parts/badge.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Copyable } from '../parts/forms/controls.tsx';
import { Notice, Reading, Said } from '../parts/notice.tsx';
import { Facts } from '../parts/sheet.tsx';
import { Time } from '../parts/values.tsx';
import { setParams } from '../shell/navigation.ts';
import { may, seesAll } from '../shell/session.ts';
import { fileName, zonesText } from './people-filters.tsx';
import { PersonActions } from './person-actions.tsx';
import { PersonCalls } from './person-calls.tsx';
import './person.css';

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
      <Facts rows={cells.map(({ column, value }, i) => [column || `Column ${i + 1}`, value])} />
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
        <Facts
          key={i}
          rows={Object.entries(lead).map(([name, value]) => [name, textOrJson(value)])}
        />
      ))}
    </section>
  );
}

/** Everything about one person, beside the table. */
export function PersonDrawer({
  campaign,
  id,
  onChanged,
}: {
  campaign: CampaignDetail;
  id: string;
  /** Something was done with them. */
  onChanged: () => void;
}) {
  const address = path`/campaigns/${campaign.name}/people/${id}`;
  const { value: person, problem, set } = useRead<Person>(address, asItCan);
  const [told, setTold] = useState<string[]>([]);
  const zone = campaign.timezone;
  return (
    <Dialog
      kind="drawer"
      title={person === undefined ? `Person ${id}` : (person.name ?? person.phone)}
      onClose={() => setParams({ person: null })}
    >
      <Reading of={{ value: person, problem }} what="the person" />
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
  const numbers = (text: string) => <span class="number-like">{text}</span>;
  const nextCall =
    at === null ? (
      <Said text={next?.text ?? 'none in this campaign'} />
    ) : (
      <>
        <Time at={at} zone={zone} />
        {zones
          .filter((theirs) => theirs !== zone)
          .map((theirs) => (
            <span key={theirs} class="soft">
              {' '}
              (<Time at={at} zone={theirs} part="time" /> by their clock)
            </span>
          ))}
        {heldBy !== undefined && `, ${heldBy}`}
      </>
    );
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
      <Facts
        rows={[
          ['Not called now', why.length > 0 && !isPlanned ? <Said text={why.join('; ')} /> : null],
          ['Next call', nextCall],
          ['Zone', zonesText(zones)],
          [
            'Further numbers',
            furtherNumbers.length > 0 ? numbers(furtherNumbers.join(', ')) : null,
          ],
          ...suppressed.map(
            (one) =>
              [
                'Suppressed',
                <>
                  {numbers(one.phone)}: {one.why}
                </>,
              ] as const,
          ),
        ]}
      />
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

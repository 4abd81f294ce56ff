import { useEffect, useState } from 'preact/hooks';

import { durationText } from '../../../text/amounts.ts';
import { labelOf, SETTINGS, settingSentence } from '../../../config/table/settings-table.ts';
import type { CampaignDetail } from '../../../views/campaigns.ts';
import { consoleNow, path } from '../api/client.ts';
import { Button, Form } from '../parts/button.tsx';
import { counted, Time, Who } from '../parts/values.tsx';
import { ResultBadge } from '../parts/badge.tsx';
import { TextField } from '../parts/field.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { Table, type Head } from '../parts/tables/table.tsx';
import { keyOf, useSettings } from './settings/setting-forms.tsx';
import type { ShownCampaign } from './use-campaign.tsx';

const LIMITS = ['concurrency', 'pace'] as const;

/** Both by their names in the settings. */
function limitsText(campaign: CampaignDetail): string {
  const present = limitsOf(campaign);
  return LIMITS.map((key) => `${labelOf(SETTINGS[key])}: ${present[key]}`).join('; ');
}

/** What limits the calls; a run in progress follows within a second. */
export function Limits({ shown }: { shown: ShownCampaign }) {
  const { campaign } = shown;
  const present = limitsOf(campaign);
  // What is typed belongs to the version that it was typed over.
  const [typed, setTyped] = useState<{ version: number; concurrency: string; pace: string }>();
  const change = useSettings(shown, {
    now: (now) => `${limitsText(now)} now.`,
    onDone: () => setTyped(undefined),
  });
  const fields = typed ?? { version: campaign.version, ...present };
  const set = Object.fromEntries(
    LIMITS.filter((key) => fields[key].trim() !== present[key]).map((key) => [
      key,
      fields[key].trim(),
    ]),
  );
  const hasChanged = Object.keys(set).length > 0;
  const { problem } = change;
  const wrong = problem && keyOf(problem, Object.keys(set));
  return (
    <section class="card padded">
      <h2>Limits</h2>
      <Form does={() => hasChanged && change.run(fields.version, set)}>
        <div class="columns limits">
          {LIMITS.map((key) => (
            <TextField
              key={key}
              label={labelOf(SETTINGS[key])}
              about={settingSentence(SETTINGS[key])}
              value={fields[key]}
              problem={wrong === key ? problem : undefined}
              autoComplete="off"
              onChange={(value) => setTyped({ ...fields, [key]: value })}
            />
          ))}
        </div>
        {problem !== undefined && wrong === undefined && <ProblemNotice problem={problem} />}
        <div class="row between">
          <p class="soft small-text" role="status">
            {typed !== undefined && typed.version !== campaign.version
              ? `Somebody has changed the campaign meanwhile. ${limitsText(campaign)} now.`
              : 'A change holds within a second.'}
          </p>
          <div class="row tight">
            {typed !== undefined && (
              <Button
                kind="quiet"
                onClick={() => {
                  change.forget();
                  setTyped(undefined);
                }}
              >
                Leave it
              </Button>
            )}
            <Button type="submit" disabled={!hasChanged} aria-disabled={change.isBusy}>
              Change limits
            </Button>
          </div>
        </div>
      </Form>
      {change.question}
    </section>
  );
}

function limitsOf({ concurrency, settings }: CampaignDetail) {
  return { concurrency: String(concurrency), pace: settings['pace'] ?? 'none' };
}

const SHOWN = 20;
/** The states of an attempt that holds a slot, for people. */
const CALL_STATES: Readonly<Record<string, string>> = {
  intent: 'being asked for',
  placed: 'placed',
  unknown: 'in doubt',
  unconfirmed: 'in doubt',
};

const number = (text: string): Head => ({ text, isNumber: true });

/** The calls that hold a slot, the oldest first, and for how long. */
export function CallsInProgress({ shown }: { shown: ShownCampaign }) {
  const now = useSeconds();
  const { heldSlots: calls, held } = shown.campaign;
  const oldest = calls
    .toSorted((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt))
    .slice(0, SHOWN);
  return (
    <section class="card padded">
      <h2>Calls in progress</h2>
      {oldest.length === 0 ? (
        <p class="soft">No call is in progress.</p>
      ) : (
        <Table label="Calls in progress" kind="calls" heads={['Person', 'State', number('Age')]}>
          {oldest.map(({ attempt, state, sentAt, ...person }) => (
            <tr key={attempt}>
              <Called campaign={shown.campaign.name} person={person} />
              <td>{CALL_STATES[state] ?? state}</td>
              <td class="number nowrap">{durationText(Math.max(0, now - Date.parse(sentAt)))}</td>
            </tr>
          ))}
        </Table>
      )}
      {held > oldest.length && (
        <p class="soft small-text">and {counted(held - oldest.length, 'more call')}, begun later</p>
      )}
    </section>
  );
}

/** The last calls that ended, also before the page was opened. */
export function EndedCalls({ shown: { campaign } }: { shown: ShownCampaign }) {
  const { ended } = campaign;
  return (
    <section class="card padded">
      <h2>Calls as they end</h2>
      {ended.length === 0 ? (
        <p class="soft">
          No call has ended yet. Calls are listed here as they end, the newest first.
        </p>
      ) : (
        <Table
          label="Calls as they end"
          kind="calls"
          heads={['Person', 'Result', 'Sentiment', number('Length'), number('Ended')]}
        >
          {ended.map((call) => (
            <tr key={`${call.phone} ${call.line} ${call.endedAt ?? ''}`}>
              <Called campaign={campaign.name} person={call} />
              <td>
                <ResultBadge result={call.result} state="done" />
              </td>
              <td>{call.sentiment ?? <span class="soft">–</span>}</td>
              <td class="number nowrap">
                {call.durationMs === null ? '–' : durationText(call.durationMs)}
              </td>
              <td class="number">
                <Time at={call.endedAt} zone={campaign.timezone} part="time" />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** Who was called, and the way to all that is known of them. */
function Called({
  campaign,
  person: { name, phone, list, line },
}: {
  campaign: string;
  person: Pick<CampaignDetail['ended'][number], 'name' | 'phone' | 'list' | 'line'>;
}) {
  return (
    <th scope="row">
      <a href={path`/campaigns/${campaign}/people?person=${`${list}-${line}`}`}>
        <Who name={name} phone={phone} />
      </a>
    </th>
  );
}

/** The console's clock, once a second. */
function useSeconds(): number {
  const [now, setNow] = useState(consoleNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(consoleNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

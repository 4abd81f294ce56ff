import type { ComponentChildren } from 'preact';

import { labelOf, SETTING_ROWS } from '../../../config/table/settings-table.ts';
import type { PlanView as Planned } from '../../../views/plan.ts';
import { settingText } from '../campaign/settings/times-form.tsx';
import { Lines as Exactly, Notice, Said } from '../parts/notice.tsx';
import { Facts, Sentences } from '../parts/sheet.tsx';
import { amount, counted, Time } from '../parts/values.tsx';
import { stepPath } from './steps.tsx';

/** What has to be chosen first, where the terminal names a flag. */
const MISSING: Readonly<Record<string, string>> = {
  '--service NAME': 'Choose the service that makes the calls.',
  '--agent ID': 'Choose the agent that speaks.',
  '--country CC': 'Some numbers have no country code: say which country they are of.',
};

/** A plan as a sheet to sign: all that happens once it is started, and what it will come to. */
export function PlanSheet({ planned, zone }: { planned: Planned; zone: string }) {
  const { campaign, missing, problem, next, notes } = planned;
  const change = (
    <a class="button small" href={stepPath(campaign, 'settings')}>
      Settings
    </a>
  );
  const isOnce = (planned.settings?.['retry'] ?? 'none') === 'none';
  const once = planned.settings !== null && isOnce ? ['Each person is called once.'] : [];
  return (
    <div class="stack">
      {missing.map((one) => (
        <Notice key={one.give} tone="warn" action={change}>
          {MISSING[one.give] ?? one.why}
        </Notice>
      ))}
      {problem !== null && (
        <Notice tone="bad" next={next} action={change}>
          <Said text={problem} />
        </Notice>
      )}
      {planned.never.map((who) => (
        <Notice key={who} tone="warn" action={change}>
          Never called: <Said text={who} />
        </Notice>
      ))}
      <div class="columns plan-sheet">
        <Who planned={planned} zone={zone} />
        <Part title="When" planned={planned} section="When" lines={planned.when} />
        <Part title="How often" planned={planned} section="Again" lines={once} />
        <ByWhom planned={planned} />
        <Part title="At most" planned={planned} section="How many, Stop" />
        <Part
          title="What it will come to"
          lines={planned.forecast?.sentences.join(' ').split(/(?<=\.) +(?=[A-Z])/)}
        />
      </div>
      <Sent request={planned.request} />
      <Part title="Good to know" lines={notes} />
    </div>
  );
}

/** A part of the sheet; with `section` the settings of these sections that say something. */
function Part({
  title,
  planned,
  section = '',
  lines = [],
  children,
}: {
  title: string;
  planned?: Planned;
  section?: string;
  lines?: readonly string[] | undefined;
  children?: ComponentChildren;
}) {
  const settings = planned?.settings ?? null;
  const rows = SETTING_ROWS.flatMap(([key, row]) => {
    const isOf = row.section !== undefined && section.split(', ').includes(row.section);
    if (!isOf || planned === undefined || settings === null) return [];
    const text = settingText(key, settings);
    const at = `${stepPath(planned.campaign, 'settings')}?change=${key}`;
    const said = key === 'timezone' ? <a href={at}>{text}</a> : text;
    return text !== 'none' ? [[labelOf(row), said] as const] : [];
  });
  if (rows.length === 0 && lines.length === 0 && children === undefined) return null;
  return (
    <section class="card padded" aria-label={title}>
      <h2>{title}</h2>
      {children}
      {rows.length > 0 && <Facts rows={rows} />}
      {lines.length > 0 && <Sentences kind="small-text" lines={lines} />}
    </section>
  );
}

function Who({ planned, zone }: { planned: Planned; zone: string }) {
  const { callNow, callLater, callNever, nextAt, lists } = planned;
  const suppressed = lists.reduce((sum, list) => sum + list.suppressed, 0);
  return (
    <Part title="Who" lines={lists.flatMap(listLines)}>
      <Facts
        rows={[
          ['Called now', counted(callNow, 'person', 'people')],
          [
            'Called later',
            <>
              {amount(callLater)}
              {nextAt !== null && (
                <>
                  , from <Time at={nextAt} zone={zone} />
                </>
              )}
            </>,
          ],
          ['Never called', amount(callNever)],
          ['Suppressed', `${amount(suppressed)}: their numbers are on the suppression list`],
        ]}
      />
    </Part>
  );
}

function listLines({ text, zones, headers, fields, phoneColumn }: Planned['lists'][number]) {
  const used = [...Object.values(fields), ...phoneColumn.split(', ')];
  const others = headers.filter((header) => !used.includes(header));
  return [
    text,
    ...zones,
    ...(others.length === 0 ? [] : [`Columns kept as they are: ${others.join(', ')}.`]),
  ];
}

function ByWhom({ planned: { service, agentName, settings, prompt } }: { planned: Planned }) {
  if (service === null) return null;
  return (
    <Part title="By whom">
      <Facts
        rows={[
          ['Service', service.simulated ? 'the simulated one: nobody is called' : service.name],
          ['Agent', [agentName, `(${settings?.['agent'] ?? '–'})`].filter(Boolean).join(' ')],
        ]}
      />
      {prompt !== null && (
        <blockquote class="small-text break" aria-label="How its prompt begins">
          {prompt}
        </blockquote>
      )}
    </Part>
  );
}

/** The request of the first person's call. */
function Sent({ request }: { request: Planned['request'] }) {
  if (request === null) return null;
  const { person, method, url, body, problem } = request;
  const what = `Sent for ${person.name ?? person.phone}`;
  return (
    <Part title="What is sent">
      <details>
        <summary>{what}, the first of them</summary>
        <p class="small-text break">
          {method} {url}
        </p>
        {problem !== null && <Said text={problem} />}
        {body !== null && <Exactly lines={indented(body)} label={what} />}
      </details>
    </Part>
  );
}

function indented(body: string): string[] {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split('\n');
  } catch {
    return [body];
  }
}

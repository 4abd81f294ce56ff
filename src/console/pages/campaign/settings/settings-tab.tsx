import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { SECTIONS, SETTING_GROUPS } from '../../../../config/table/row.ts';
import {
  groupOf,
  labelOf,
  partsOf,
  SETTING_ROWS,
  SETTINGS,
  settingSentence,
} from '../../../../config/table/settings-table.ts';
import type { CampaignDetail, Schedules } from '../../../../views/campaigns.ts';
import { query } from '../../api/client.ts';
import { asItCan, useRead } from '../../api/loaded.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/badge.tsx';
import { SearchField } from '../../parts/forms/controls.tsx';
import { Reading, Said } from '../../parts/notice.tsx';
import { WeekCard } from '../../schedule/days-ahead.tsx';
import { params, setParams } from '../../shell/navigation.ts';
import { may } from '../../shell/session.ts';
import type { ShownCampaign } from '../use-campaign.tsx';
import { BudgetsForm, SettingForm, type OfSetting } from './setting-forms.tsx';
import { settingText, TimesForm } from './times-form.tsx';

/**
 * All settings by section, each changed in its place; which one is open stands in the address.
 *
 * @param week when people may be called; default: those who wait in the campaign
 */
export function SettingsTab({
  shown,
  week = <WeekAhead campaign={shown.campaign} />,
}: {
  shown: ShownCampaign;
  week?: ComponentChildren;
}) {
  const open = params.value.get('change');
  const wanted = (params.value.get('text') ?? '').toLowerCase();
  const found = SETTING_ROWS.filter(
    ([key]) => key in shown.campaign.settings && groupOf(key) === undefined,
  ).filter(
    ([key]) =>
      key === open ||
      [key, ...partsOf(key)].some((each) =>
        `${each} ${labelOf(SETTINGS[each])} ${SETTINGS[each].help} ${ALSO[each] ?? ''}`
          .toLowerCase()
          .includes(wanted),
      ),
  );
  // Where something of it was changed it stays open, so that what was saved is seen.
  const [isExpertOpen, setExpertOpen] = useState(false);
  const list = (rows: typeof found) => (
    <ul class="card settings" role="list">
      {rows.map(([key]) => (
        <Setting key={key} setting={key} shown={shown} />
      ))}
    </ul>
  );
  const expert = found.filter(([, row]) => row.section === undefined);
  return (
    <>
      <div class="row between">
        <p class="soft">A change holds within a second, unless it says otherwise.</p>
        <SearchField label="Find a setting" placeholder="hours, agent, budget" />
      </div>
      {found.length === 0 && <p role="status">No setting has these words.</p>}
      {SECTIONS.map((name) => {
        const rows = found.filter(([, row]) => row.section === name);
        return (
          rows.length > 0 && (
            <section key={name} class="stack tight">
              <h2>{name}</h2>
              {name === 'When' && week}
              {list(rows)}
            </section>
          )
        );
      })}
      {expert.length > 0 && (
        <details
          class="stack expert"
          open={isExpertOpen || wanted !== '' || expert.some(([key]) => key === open)}
          onToggle={({ currentTarget }) => setExpertOpen(currentTarget.open)}
        >
          <summary>
            <h2>Expert</h2>
          </summary>
          {SETTING_GROUPS.map((group) => {
            const rows = expert.filter(([, row]) => row.group === group);
            return (
              rows.length > 0 && (
                <section key={group} class="stack tight">
                  <p class="soft">{group}</p>
                  {list(rows)}
                </section>
              )
            );
          })}
        </details>
      )}
    </>
  );
}

/** Other words by which people look for a setting. */
const ALSO: Partial<Record<string, string>> = { notBefore: 'hours evening every week schedule' };

function Setting({ setting: key, shown }: OfSetting) {
  const row = SETTINGS[key];
  const { settings } = shown.campaign;
  const isOpen = params.value.get('change') === key;
  const item = useRef<HTMLLIElement>(null);
  // A link from elsewhere leads to it, also where it is far below.
  useEffect(() => {
    if (!isOpen) return;
    item.current?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement === document.body)
      item.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, [isOpen]);
  const mayBeSet = row.onlyHere === undefined && row.holds !== 'new run';
  const mayChange = may('operator') && mayBeSet;
  const label = labelOf(row);
  const isTimes = key === 'notBefore';
  const Form = isTimes ? TimesForm : key === 'stop' ? BudgetsForm : SettingForm;
  return (
    <li ref={item}>
      <div class="setting">
        <div>
          <h3>{label}</h3>
          <p class="soft small-text">
            <Said text={isTimes ? 'Once, or every week on chosen days.' : settingSentence(row)} />
            {row.holds === undefined && ' A change holds from the next start on.'}
            {!mayBeSet && ' Set in a terminal of the console’s machine only.'}
          </p>
        </div>
        <div class="break setting-value">{settingText(key, settings)}</div>
        {mayChange && (
          <Button
            kind="small"
            aria-expanded={isOpen}
            aria-label={`Change ${label}`}
            onClick={() => setParams({ change: isOpen ? null : key })}
          >
            Change
            <Icon name={isOpen ? 'up' : 'down'} />
          </Button>
        )}
      </div>
      {isOpen && mayChange && <Form setting={key} shown={shown} />}
    </li>
  );
}

/** When those who wait may be called, today and in the seven days after. */
function WeekAhead({ campaign: { name, version } }: { campaign: CampaignDetail }) {
  const address = `/schedule${query({ days: 8, campaign: name })}`;
  const { value, problem, reload } = useRead<Schedules>(address, asItCan);
  useEffect(reload, [version]);
  return (
    <>
      <Reading of={{ value, problem }} what="the week ahead" />
      {value?.items.map((ahead) => (
        <WeekCard key={name} ahead={ahead} now={value.now} />
      ))}
    </>
  );
}

import { SETTING_GROUPS } from '../../../../config/table/row.ts';
import {
  SETTING_ROWS,
  settingSentence,
  SETTINGS,
  type SettingKey,
} from '../../../../config/table/settings-table.ts';
import { Icon } from '../../parts/icon.tsx';
import { Said } from '../../parts/said.tsx';
import { params, setParams } from '../../shell/navigation.ts';
import { may } from '../../shell/session.ts';
import { SettingForm } from './setting-form.tsx';
import type { ShownCampaign } from '../use-campaign.ts';

/** All settings, each changed in its place; which one is open stands in the address. */
export function SettingsTab({ shown }: { shown: ShownCampaign }) {
  return (
    <>
      <p class="soft">
        They are those of <code>callsheet set</code>. A run in progress follows a change within a
        second, unless it says otherwise.
      </p>
      {/* What the first group holds is chosen with the list alone. */}
      {SETTING_GROUPS.slice(1).map((title) => (
        <section key={title} class="stack tight">
          <h2>{title}</h2>
          <ul class="card settings" role="list">
            {SETTING_ROWS.filter(([, row]) => row.group === title)
              .filter(([key]) => key in shown.campaign.settings)
              .map(([key]) => (
                <Setting key={key} setting={key} shown={shown} />
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Setting({ setting: key, shown }: { setting: SettingKey; shown: ShownCampaign }) {
  const { onlyHere, holds } = SETTINGS[key];
  const isOpen = params.value.get('change') === key;
  const mayChange = may('operator') && onlyHere === undefined && holds !== 'new run';
  return (
    <li>
      <div class="setting">
        <div>
          <h3>{key}</h3>
          <p class="soft small-text">
            <Said text={settingSentence(SETTINGS[key])} />
            {holds === undefined && ' A change holds from the next run on.'}
            {onlyHere !== undefined && ' Set in a terminal of the console’s machine only.'}
          </p>
        </div>
        <div class="break setting-value">{shown.campaign.settings[key]}</div>
        {mayChange && (
          <button
            class="button small"
            type="button"
            aria-expanded={isOpen}
            aria-label={`Change ${key}`}
            onClick={() => {
              setParams({ change: isOpen ? null : key });
            }}
          >
            Change
            <Icon name={isOpen ? 'up' : 'down'} />
          </button>
        )}
      </div>
      {isOpen && mayChange && <SettingForm setting={key} shown={shown} />}
    </li>
  );
}

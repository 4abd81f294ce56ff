import { Icon } from '../../parts/icon.tsx';
import { Said } from '../../parts/said.tsx';
import { params, setParams } from '../../shell/navigation.ts';
import { may } from '../../shell/session.ts';
import { SettingForm } from './setting-form.tsx';
import { SETTING_GROUPS, type SettingWords } from './setting-words.ts';
import type { ShownCampaign } from '../use-campaign.ts';

/** All settings, each changed in its place; which one is open stands in the address. */
export function SettingsTab({ shown }: { shown: ShownCampaign }) {
  return (
    <>
      <p class="soft">
        They are those of <code>callsheet set</code>. A run in progress follows limits, hours, rules
        and retries within a second, and the others the next time.
      </p>
      {groupsOf(shown.campaign.settings).map(({ title, settings }) => (
        <section key={title} class="stack tight">
          <h2>{title}</h2>
          <ul class="card settings" role="list">
            {settings.map((words) => (
              <Setting key={words.key} words={words} shown={shown} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Setting({ words, shown }: { words: SettingWords; shown: ShownCampaign }) {
  const { key, about, isLocal } = words;
  const isOpen = params.value.get('change') === key;
  const mayChange = may('operator') && isLocal !== true;
  return (
    <li>
      <div class="setting">
        <div>
          <h3>{key}</h3>
          <p class="soft small-text">
            <Said text={about} />
            {isLocal === true && ' Set in a terminal of the console’s machine only.'}
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
      {isOpen && mayChange && <SettingForm words={words} shown={shown} />}
    </li>
  );
}

/** Those of this campaign; what a later version of callsheet adds comes last. */
function groupsOf(settings: Record<string, string>) {
  const known = SETTING_GROUPS.map((group) => ({
    ...group,
    settings: group.settings.filter(({ key }) => key in settings),
  }));
  const shown = new Set(known.flatMap((group) => group.settings.map(({ key }) => key)));
  const others = Object.keys(settings)
    .filter((key) => !shown.has(key))
    .map((key): SettingWords => ({ key, about: '' }));
  return others.length === 0 ? known : [...known, { title: 'Others', settings: others }];
}

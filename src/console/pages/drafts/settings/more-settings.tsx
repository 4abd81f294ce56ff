import { OTHERS } from './field-words.ts';
import { SettingFields } from './setting-fields.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** Settings that are seldom changed, as `callsheet set` names them. */
export function MoreSettings({ form }: { form: SettingsForm }) {
  const isUsed = OTHERS.some(
    ({ key }) => form.value(key) !== '' || form.problemOf(key) !== undefined,
  );
  return (
    <details class="card more-settings" open={isUsed}>
      <summary>
        <h2>All other settings</h2>
      </summary>
      <p class="soft small-text">What is left empty has its default.</p>
      <SettingFields form={form} fields={OTHERS} />
    </details>
  );
}

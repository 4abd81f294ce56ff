import type { ComponentChildren } from 'preact';
import type { Row } from '../../../../config/table/row.ts';
import { choicesOf, SETTINGS, type SettingKey } from '../../../../config/table/settings-table.ts';
import { SettingField } from '../../campaign/settings/setting-field.tsx';
import { fieldsOn } from './missing-field.ts';
import type { SettingsForm } from './use-settings-form.ts';

/** Fields beside each other, each with its refusal. */
export function SettingFields({
  form,
  fields,
}: {
  form: SettingsForm;
  fields: readonly SettingKey[];
}) {
  return (
    <div class="columns setting-fields">
      {fields.map((key) => (
        <SettingField
          key={key}
          setting={key}
          label={SETTINGS[key].label ?? key}
          empty={emptyText(SETTINGS[key])}
          value={form.value(key)}
          problem={form.problemOf(key)}
          onChange={(value) => {
            form.set(key, value);
          }}
        />
      ))}
    </div>
  );
}

/** Settings that are seldom changed, as `callsheet set` names them. */
export function MoreSettings({ form }: { form: SettingsForm }) {
  const others = fieldsOn(undefined);
  const isUsed = others.some((key) => form.value(key) !== '' || form.problemOf(key) !== undefined);
  return (
    <details class="card more-settings" open={isUsed}>
      <summary>
        <h2>All other settings</h2>
      </summary>
      <p class="soft small-text">What is left empty has its default.</p>
      <SettingFields form={form} fields={others} />
    </details>
  );
}

function emptyText(row: Row): string {
  return choicesOf(row) === undefined ? row.byDefault : `default: ${row.byDefault}`;
}

/** A part of the settings, under a heading. */
export function SettingsPart({
  title,
  about,
  children,
}: {
  title: string;
  about?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card padded" aria-label={title}>
      <div>
        <h2>{title}</h2>
        {about !== undefined && <p class="soft small-text">{about}</p>}
      </div>
      {children}
    </section>
  );
}

import type { ComponentChildren } from 'preact';
import { SelectField, TextField } from '../../parts/field.tsx';
import type { FieldWords } from './field-words.ts';
import type { SettingsForm } from './use-settings-form.ts';

/** Fields beside each other, each with its refusal. */
export function SettingFields({
  form,
  fields,
}: {
  form: SettingsForm;
  fields: readonly FieldWords[];
}) {
  return (
    <div class="columns setting-fields">
      {fields.map(({ key, label, about, placeholder, choices }) => {
        const own = {
          label,
          about,
          value: form.value(key),
          problem: form.problemOf(key),
          onChange: (value: string) => {
            form.set(key, value);
          },
        };
        if (choices !== undefined)
          return (
            <SelectField
              key={key}
              {...own}
              choices={choices.map(([value, text]) => ({ value, text }))}
            />
          );
        return (
          <TextField
            key={key}
            {...own}
            autoComplete="off"
            {...(placeholder !== undefined && { placeholder })}
          />
        );
      })}
    </div>
  );
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

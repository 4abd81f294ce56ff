import { useState } from 'preact/hooks';

import type { ProfileChoices } from '../../../views/services.ts';
import { get, path, send } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { filledIn, SelectField, TextField, useForm } from '../parts/field.tsx';

const FIELDS = { name: ['SERVICE_EXISTS'], url: [], from: [], key: ['SERVICE_KEY_REFUSED'] };

/**
 * Asks for a service and its key, or for another key.
 *
 * @param service undefined: it is a new one
 */
export function ServiceDialog({
  service,
  onClose,
  onDone,
}: {
  service?: string;
  onClose: () => void;
  onDone: (name: string) => void;
}) {
  const [profile, setProfile] = useState('voice-agent');
  const [ids, setIds] = useState<Readonly<Record<string, string>>>({});
  const isNew = service === undefined;
  const profiles = useLoaded(
    async (signal) => (isNew ? get<ProfileChoices>('/profiles', signal) : null),
    [],
  );
  const { items = [] } = profiles.value ?? {};
  const chosen = items.find(({ name }) => name === profile);
  const empty = { name: service ?? 'main', url: '', key: '', from: '' };
  const { form, fieldOf } = useForm(empty, FIELDS, async (typed) => {
    const { key } = typed;
    const answer = await (isNew
      ? send('POST', '/services', { ...filledIn(typed), profile, ids: filledIn(ids) })
      : send('PUT', path`/services/${service}/key`, { key }));
    onDone(typed.name.trim());
    return answer;
  });
  return (
    <FormDialog
      title={isNew ? 'Add a service' : `Another key for ${service}`}
      does="Test and keep it"
      action={form.action}
      problem={form.problem ?? profiles.problem}
      onClose={onClose}
    >
      {isNew && (
        <>
          <SelectField
            label="Provider"
            value={profile}
            onChange={setProfile}
            choices={items.map(({ name }) => ({
              value: name,
              text: name === 'voice-agent' ? 'another one, by its address' : name,
            }))}
          />
          <TextField
            label="Address"
            placeholder={chosen?.url ?? 'https://voice.example.com'}
            required={chosen?.url == null}
            {...fieldOf('url')}
          />
          {chosen?.needsFrom === true && (
            <TextField label="Calls come from" required {...fieldOf('from')} />
          )}
          {chosen?.ids.map((id) => (
            <TextField
              key={id}
              label={`Id: ${id}`}
              required
              value={ids[id] ?? ''}
              onChange={(value) => setIds({ ...ids, [id]: value })}
            />
          ))}
          <TextField label="Its name here" required {...fieldOf('name')} />
        </>
      )}
      <TextField
        label="API key"
        type="password"
        required
        about="It is kept in a file on the machine of the console, and never shown again."
        {...fieldOf('key')}
      />
    </FormDialog>
  );
}

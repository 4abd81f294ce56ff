import { useState } from 'preact/hooks';

import type { ProfileChoices } from '../../../views/services.ts';
import { useAction } from '../api/action.ts';
import { get, path, send } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { filledIn, SelectField, TextField, useTypedFields } from '../parts/field.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';

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
  const { typed, fieldOf } = useTypedFields({
    name: service ?? 'main',
    url: '',
    key: '',
    from: '',
  });
  const [profile, setProfile] = useState('voice-agent');
  const [ids, setIds] = useState<Readonly<Record<string, string>>>({});
  const isNew = service === undefined;
  const profiles = useLoaded(
    async (signal) => (isNew ? get<ProfileChoices>('/profiles', signal) : null),
    [],
  );
  const { items = [] } = profiles.value ?? {};
  const chosen = items.find(({ name }) => name === profile);
  const keeping = useAction(async () => {
    const { key } = typed;
    const answer = await (isNew
      ? send('POST', '/services', { ...filledIn(typed), profile, ids: filledIn(ids) })
      : send('PUT', path`/services/${service}/key`, { key }));
    onDone(typed.name.trim());
    return answer;
  });
  const { at, elsewhere } = problemPlaces(keeping.problem, {
    ...{ name: ['SERVICE_EXISTS'], url: [], from: [], key: ['SERVICE_KEY_REFUSED'] },
  });
  return (
    <FormDialog
      title={isNew ? 'Add a service' : `Another key for ${service}`}
      does="Test and keep it"
      action={keeping}
      problem={elsewhere ?? profiles.problem}
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
            {...fieldOf('url', at('url'))}
          />
          {chosen?.needsFrom === true && (
            <TextField label="Calls come from" required {...fieldOf('from', at('from'))} />
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
          <TextField label="Its name here" required {...fieldOf('name', at('name'))} />
        </>
      )}
      <TextField
        label="API key"
        type="password"
        required
        about="It is kept in a file on the machine of the console, and never shown again."
        {...fieldOf('key', at('key'))}
      />
    </FormDialog>
  );
}

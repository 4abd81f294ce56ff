import { useState } from 'preact/hooks';
import type { Agent } from '../../../views/services.ts';
import { useAction } from '../api/action.ts';
import { path, Refusal, send } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, TextField } from '../parts/field.tsx';
import { problemPlaces } from '../parts/forms/problem-places.ts';
import { ProblemNotice } from '../parts/notice.tsx';

/** Makes an agent at a service. @param onMade gets its id */
export function NewAgentDialog({
  service,
  onClose,
  onMade,
}: {
  service: string;
  onClose: () => void;
  onMade: (id: string) => void;
}) {
  const [name, setName] = useState('');
  const [systemPrompt, setPrompt] = useState('');
  const [voice, setVoice] = useState('');
  const making = useAction(async () => {
    const body = { name: name.trim(), systemPrompt, voice: voiceOf(voice) };
    const { id } = await send<Agent>('POST', path`/services/${service}/agents`, body);
    onMade(id);
  });
  // A prompt without a word is refused by its code.
  const { at, elsewhere } = problemPlaces(making.problem, {
    name: [],
    voice: [],
    systemPrompt: ['AGENT_INPUT_UNUSABLE'],
  });
  return (
    <Dialog kind="dialog wide" title={`New agent at ${service}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void making.run();
        }}
      >
        {elsewhere !== undefined && <ProblemNotice problem={elsewhere} />}
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          problem={at('name')}
          autoComplete="off"
          required
        />
        <Field
          label="Prompt"
          about="What the agent is to say and do, in your words."
          problem={at('systemPrompt')}
        >
          {(control) => (
            <textarea
              {...control}
              class="input prompt-input"
              required
              value={systemPrompt}
              onInput={({ currentTarget }) => {
                setPrompt(currentTarget.value);
              }}
            />
          )}
        </Field>
        <Field
          label="Voice (may be left out)"
          about="A JSON object that goes to the service as it is."
          problem={at('voice')}
        >
          {(control) => (
            <textarea
              {...control}
              class="input voice-input"
              placeholder={'{ "language": "en-GB" }'}
              spellcheck={false}
              value={voice}
              onInput={({ currentTarget }) => {
                setVoice(currentTarget.value);
              }}
            />
          )}
        </Field>
        <footer class="row tight end">
          <button class="button" type="button" onClick={onClose}>
            Leave it
          </button>
          <button class="button primary" type="submit" disabled={making.isBusy}>
            Create the agent
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** @throws Refusal for what is no JSON object */
function voiceOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  let voice: unknown;
  try {
    voice = JSON.parse(text);
  } catch (error) {
    throw voiceRefused(`is no JSON (${(error as Error).message})`);
  }
  if (typeof voice === 'object' && voice !== null && !Array.isArray(voice)) return voice;
  throw voiceRefused('is no JSON object');
}

function voiceRefused(why: string): Refusal {
  return new Refusal({
    type: 'urn:callsheet:AGENT_INPUT_UNUSABLE',
    title: 'agent input unusable',
    status: 422,
    code: 'AGENT_INPUT_UNUSABLE',
    field: 'voice',
    detail: `The voice ${why}.`,
    hint: 'give an object such as { "language": "en-GB" }, or leave it empty',
  });
}

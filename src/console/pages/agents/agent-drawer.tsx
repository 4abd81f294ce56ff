import type { Agent } from '../../contract/services.ts';
import { query } from '../api/addresses.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Lines } from '../parts/lines.tsx';
import { toast } from '../parts/toasts.tsx';
import { go, setParams } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';

/** One agent with its whole prompt. */
export function AgentDrawer({ agent, service }: { agent: Agent; service: string }) {
  const { id, name, systemPrompt, voice } = agent;
  return (
    <Dialog
      kind="drawer"
      title={name ?? 'Agent without a name'}
      onClose={() => {
        setParams({ agent: null });
      }}
    >
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Service</dt>
        <dd>{service}</dd>
      </dl>
      <div class="row tight">
        {may('operator') && (
          <button
            class="button primary"
            type="button"
            onClick={() => {
              void copy(id).then(() => {
                go(`/new${query({ service, agent: id })}`);
              });
            }}
          >
            New campaign with this agent
          </button>
        )}
        <button class="button" type="button" onClick={() => void copy(id)}>
          Copy the id
        </button>
      </div>
      <section class="stack tight">
        <h3>Prompt</h3>
        {systemPrompt === null ? (
          <p class="soft">The service does not show it.</p>
        ) : (
          <p class="prompt break">{systemPrompt}</p>
        )}
      </section>
      {voice !== null && (
        <section class="stack tight">
          <h3>Voice</h3>
          <Lines label="Voice" lines={JSON.stringify(voice, null, 2).split('\n')} />
        </section>
      )}
    </Dialog>
  );
}

/** A page that did not come over https may not use the clipboard. */
async function copy(id: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(id);
    toast(`The id ${id} is copied.`);
  } catch {
    toast(`The id could not be copied; it is ${id}.`, 'warn');
  }
}

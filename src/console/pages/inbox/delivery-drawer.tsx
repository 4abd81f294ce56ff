import { useState } from 'preact/hooks';

import { DELIVERY_MEANINGS } from '../../../domain/same-call.ts';
import type { Delivery, DeliveryDetail } from '../../../views/calls.ts';
import type { Done } from '../../../views/fields.ts';
import { useAction } from '../api/action.ts';
import { path, send } from '../api/client.ts';
import { useRead } from '../api/loaded.ts';
import { Button } from '../parts/button.tsx';
import { counted, Time } from '../parts/values.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Copyable } from '../parts/forms/controls.tsx';
import { Lines, Notice, ProblemNotice, Reading, Said } from '../parts/notice.tsx';
import { Facts } from '../parts/sheet.tsx';
import { setParams } from '../shell/navigation.ts';
import { may } from '../shell/session.ts';

const TONES: Readonly<Partial<Record<Delivery['state'], 'good' | 'warn' | 'bad'>>> = {
  applied: 'good',
  unmatched: 'warn',
  contradicted: 'bad',
  unknown: 'warn',
  unreadable: 'bad',
};

/** A state in words; `DELIVERY_MEANINGS` has the sentences. */
export function deliveryWord(state: string): string {
  return state === 'unknown' ? 'unknown type' : state;
}

export function DeliveryBadge({ state }: Pick<Delivery, 'state'>) {
  return (
    <span class={`badge ${TONES[state] ?? ''}`} title={DELIVERY_MEANINGS[state]}>
      {deliveryWord(state)}
    </span>
  );
}

/** One delivery as it came, and its state. */
export function DeliveryDrawer({ id, onReplayed }: { id: string; onReplayed: () => void }) {
  const { value, problem, reload } = useRead<DeliveryDetail>(path`/inbox/${id}`);
  // A toast would lie below the drawer.
  const [told, setTold] = useState<string[]>([]);
  const replaying = useAction(async () => {
    setTold([]);
    const { messages } = await send<Done>('POST', path`/inbox/${id}/replay`, {});
    setTold([...messages.map(({ text }) => text), 'It was looked at again.']);
    reload();
    onReplayed();
  });
  return (
    <Dialog kind="drawer" title={`Delivery ${id}`} onClose={() => setParams({ delivery: null })}>
      <Reading of={{ value, problem }} what="the delivery" />
      {value !== undefined && (
        <>
          <div class="row between">
            <p class="row tight">
              <DeliveryBadge state={value.state} />
              <span class="soft">{DELIVERY_MEANINGS[value.state]}</span>
            </p>
            {may('operator') && !value.bodyDropped && (
              <Button icon="replay" action={replaying}>
                Replay it
              </Button>
            )}
          </div>
          <div role="status">
            {told.length > 0 && (
              <Notice tone="good">
                <Said text={told.join(' ')} />
              </Notice>
            )}
          </div>
          {replaying.problem !== undefined && <ProblemNotice problem={replaying.problem} />}
          <FactsOf delivery={value} />
          <Headers headers={value.headers ?? {}} />
          <section class="stack tight">
            <h3>Body</h3>
            {value.body === null ? (
              <Notice>
                {value.whyDropped === null
                  ? 'Shown to those who may read what was said in calls.'
                  : `Dropped: ${value.whyDropped}.`}
              </Notice>
            ) : (
              <Lines lines={linesOf(value.body)} label="Body of the delivery" />
            )}
          </section>
        </>
      )}
    </Dialog>
  );
}

function FactsOf({ delivery }: { delivery: DeliveryDetail }) {
  const { receivedAt, times, service, signed, type, reason, callId, phone, name, campaign, key } =
    delivery;
  return (
    <Facts
      rows={[
        ['Why', reason],
        ['Received', <Time key="at" at={receivedAt} />],
        ['Sent', counted(times, 'time')],
        ['Service', service],
        ['Signature', signed ? 'checked, and right' : 'none that could be checked'],
        ['Type', type],
        ['Call id', callId && <Copyable text={callId} what="the call id" />],
        ['Person', name],
        ['Number', phone && <Copyable text={phone} what="the number" />],
        ['Campaign', campaign && <a href={path`/campaigns/${campaign}`}>{campaign}</a>],
        ['Name at the service', key],
      ]}
    />
  );
}

function Headers({ headers }: { headers: Record<string, string> }) {
  const all = Object.entries(headers);
  if (all.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>Headers</h3>
      <Lines
        lines={all.map(([name, value]) => `${name}: ${value}`)}
        label="Headers of the delivery"
      />
    </section>
  );
}

/** JSON is set out in lines; anything else stays as it came, and JSON with long numbers, which would be rounded. */
function linesOf(body: string): string[] {
  if (/\d{16}/.test(body)) return body.split('\n');
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split('\n');
  } catch {
    return body.split('\n');
  }
}

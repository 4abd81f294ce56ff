import type { Delivery } from '../../contract/inbox.ts';

/** How the states of deliveries are told: a word, its tone, and what it means. */
export const DELIVERY_WORDS: Readonly<
  Record<Delivery['state'], { text: string; tone: '' | 'good' | 'warn' | 'bad'; means: string }>
> = {
  received: { text: 'received', tone: '', means: 'Stored, and not read yet.' },
  applied: { text: 'applied', tone: 'good', means: 'What it says is in the results.' },
  hint: {
    text: 'hint',
    tone: '',
    means: 'It was not signed, so its call was read from the service instead.',
  },
  unmatched: {
    text: 'unmatched',
    tone: 'warn',
    means: 'The call that it is about is not known here. It is tried again by itself.',
  },
  contradicted: {
    text: 'contradicted',
    tone: 'bad',
    means: 'It says something else than what is known of the call.',
  },
  ignored: { text: 'ignored', tone: '', means: 'The profile says to ignore what is of its type.' },
  unknown: { text: 'unknown type', tone: 'warn', means: 'The profile does not name its type.' },
  unreadable: {
    text: 'unreadable',
    tone: 'bad',
    means: 'Its body does not have the form that the profile expects.',
  },
};

export function DeliveryBadge({ state }: Pick<Delivery, 'state'>) {
  const { text, tone, means } = DELIVERY_WORDS[state];
  return (
    <span class={`badge ${tone}`} title={means}>
      {text}
    </span>
  );
}

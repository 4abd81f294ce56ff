import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import type { Trouble } from '../../../views/fields.ts';
import { here } from '../shell/navigation.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './badge.tsx';
import { piecesOf } from './places.ts';

/** What an empty place is waiting for, in words, and the way to fill it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Lines of text in a fixed-width face, as the terminal prints them. */
export function Lines({ lines, label }: { lines: readonly string[]; label: string }) {
  return (
    <pre class="lines" tabIndex={0} role="region" aria-label={label}>
      {lines.join('\n')}
    </pre>
  );
}

/** Stands where something will be in a moment. @param what as in "Loading the campaigns" */
export function Loading({ what, does = 'Loading' }: { what: string; does?: string }) {
  return (
    <p class="empty" role="status">
      {does} {what}...
    </p>
  );
}

/**
 * A sentence of callsheet, in the words of the terminal. A command or flag that is done here stands as its place on the
 * pages: a link, or the label of the field; what quotes it in the terminal is shown on hover.
 */
export function Said({ text }: { text: string }) {
  return (
    <>
      {piecesOf(text).map((piece, i) => {
        if (typeof piece === 'string') return <span key={i}>{piece}</span>;
        if ('code' in piece) return <code key={i}>{piece.code}</code>;
        const { text: place, href, said } = piece;
        // Nothing leads to where it stands.
        return href === undefined || href === here.value ? (
          <strong key={i} title={said}>
            {place}
          </strong>
        ) : (
          <a key={i} href={href} title={said}>
            {place}
          </a>
        );
      })}
    </>
  );
}

export type Tone = 'plain' | 'good' | 'warn' | 'bad';
const ICONS: Record<Tone, IconName> = {
  plain: 'info',
  good: 'check',
  warn: 'warning',
  bad: 'warning',
};

/** A sentence that has to be seen, with what to do about it. */
export function Notice({
  tone = 'plain',
  next,
  action,
  children,
}: {
  tone?: Tone;
  /** The next step, in smaller type; a text is a sentence of callsheet. */
  next?: ComponentChildren;
  /** A button at its end. */
  action?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class={`notice ${tone}`}>
      <Icon name={ICONS[tone]} />
      <div class="break">
        <div>{children}</div>
        {next !== undefined && next !== null && (
          <div class="next">{typeof next === 'string' ? <Said text={next} /> : next}</div>
        )}
      </div>
      {action !== undefined && <div>{action}</div>}
    </div>
  );
}

/** What was refused, in the sentences of the command line; read out at once. */
export function ProblemNotice({
  problem,
  action,
}: {
  problem: Trouble;
  action?: ComponentChildren;
}) {
  return (
    <div role="alert">
      <Notice tone="bad" next={problem.hint} action={action}>
        <Said text={problem.detail} />
      </Notice>
    </div>
  );
}

/** Stands where something is read: that it is loading, or why it could not be read; nothing when it is there. */
export function Reading({
  of: { value, problem },
  ...words
}: {
  of: { value?: unknown; problem: Trouble | undefined };
  what: string;
  does?: string;
}) {
  if (problem !== undefined) return <ProblemNotice problem={problem} />;
  return value === undefined ? <Loading {...words} /> : null;
}

const SHOWN_MS = 8_000;
const MOST = 4;

const shown = signal<{ id: number; lines: readonly string[]; tone: Tone }[]>([]);
let ids = 0;

/** Shows a sentence, or some of them below each other, for some seconds. */
export function toast(text: string | readonly string[], tone: Tone = 'good'): void {
  const id = ++ids;
  shown.value = [
    ...shown.value,
    { id, lines: typeof text === 'string' ? [text] : text, tone },
  ].slice(-MOST);
  setTimeout(() => forget(id), SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {shown.value.map(({ id, lines, tone }) => (
        <Notice
          key={id}
          tone={tone}
          action={
            <Button kind="quiet small" onClick={() => forget(id)}>
              Close
            </Button>
          }
        >
          {lines.map((line, i) => (
            <div key={i}>
              <Said text={line} />
            </div>
          ))}
        </Notice>
      ))}
    </div>
  );
}

function forget(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id);
}

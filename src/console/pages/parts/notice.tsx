import type { ComponentChildren } from 'preact';
import type { ProblemBody } from '../../contract/common.ts';
import { Icon, type IconName } from './icon.tsx';
import { Said } from './said.tsx';

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
  problem: ProblemBody;
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

import { useSignal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { ProblemBody } from '../../../contract/common.ts';
import type { Draft, DraftChange } from '../../../contract/drafts.ts';
import type { ShownDraft } from '../use-draft.tsx';
import { hasField } from './missing-field.ts';

/** What is chosen by itself, beside the settings that are named as `callsheet set` names them. */
const OWN = ['name', 'service', 'agent'] as const;

/** What is typed of a draft's settings: saved when a field is left, so that it is there when it is taken up again. */
export interface SettingsForm {
  /** '' where nothing was chosen. */
  value: (key: string) => string;
  set: (key: string, value: string) => void;
  /** Sends what has changed. @param more what is changed with it */
  save: (more?: DraftChange) => Promise<boolean>;
  /** Why a field was refused. */
  problemOf: (key: string) => ProblemBody | undefined;
  /** A refusal that belongs to no field. */
  problem: ProblemBody | undefined;
  refuse: (problem: ProblemBody | undefined, key?: string) => void;
}

export function useSettingsForm({ draft, change }: ShownDraft): SettingsForm {
  const typed = useSignal(valuesOf(draft));
  const saved = useRef(typed.value);
  const [refused, setRefused] = useState<{ problem: ProblemBody; key: string | undefined }>();
  return {
    value: (key) => typed.value[key] ?? '',
    set: (key, value) => {
      typed.value = { ...typed.value, [key]: value };
      if (refused?.key === key) setRefused(undefined);
    },
    save: async (more) => {
      const now = typed.value;
      const keys = Object.keys(now).filter(
        (key) => trimmed(now[key]) !== trimmed(saved.current[key]),
      );
      if (keys.length === 0 && more === undefined) return true;
      const isMade = await change((draft) => ({ ...changeOf(draft, keys, now), ...more }));
      if (isMade) saved.current = now;
      return isMade;
    },
    problemOf: (key) => (refused?.key === key ? refused.problem : undefined),
    problem: refused?.key === undefined ? refused?.problem : undefined,
    refuse: (problem, key) => {
      setRefused(problem && { problem, key: key ?? keyOf(problem) });
    },
  };
}

function valuesOf({ name, service, agent, settings }: Draft): Record<string, string> {
  return { ...settings, name, service: service ?? '', agent: agent ?? '' };
}

function changeOf(
  { settings }: Draft,
  keys: readonly string[],
  now: Readonly<Record<string, string>>,
): DraftChange {
  const set = { ...settings };
  const change: DraftChange = {};
  for (const key of keys) {
    const value = trimmed(now[key]);
    if (key === 'name') change.name = value;
    else if (key === 'service' || key === 'agent') change[key] = value === '' ? null : value;
    else if (value === '') Reflect.deleteProperty(set, key);
    else set[key] = value;
  }
  return { ...change, settings: set };
}

function trimmed(value: string | undefined): string {
  return value?.trim() ?? '';
}

/** The field that a refusal is about; undefined: none of them. */
function keyOf({ code, detail }: ProblemBody): string | undefined {
  if (code === 'CAMPAIGN_EXISTS') return 'name';
  const own = OWN.find((key) => code.startsWith(`${key.toUpperCase()}_`));
  if (own !== undefined) return own;
  if (code.startsWith('RULE')) return 'rules';
  if (code !== 'SETTING_INVALID' && code !== 'FLAG_INVALID') return undefined;
  const [, key = ''] = /^(?:set |--)?"?(\w+(?:\.\w+)*)/.exec(detail) ?? [];
  return hasField(key) ? key : undefined;
}

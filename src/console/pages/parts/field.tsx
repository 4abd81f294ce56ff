import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { Problem } from '../../../views/fields.ts';
import { useAction } from '../api/action.ts';
import { problemPlaces } from './forms/problem-places.ts';
import { Said } from './notice.tsx';

/** What a control has to be given so that its label, its explanation and its mistake belong to it. */
interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/**
 * A control with its label. When `problem` comes, it stands under the control, which gets the focus.
 *
 * @param children gets the attributes of the control
 */
export function Field({
  label,
  about,
  problem,
  children,
}: {
  label: ComponentChildren;
  about?: ComponentChildren;
  problem?: Problem | undefined;
  children: (control: FieldControl) => ComponentChildren;
}) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem === undefined) return;
    const control = root.current?.querySelector<HTMLElement>('input, select, textarea');
    // Of several, the first.
    const first = control?.closest('form')?.querySelector('[aria-invalid="true"]') ?? control;
    if (first === control) control?.focus();
  }, [problem]);
  const described = [
    about !== undefined && `${id}-about`,
    problem !== undefined && `${id}-wrong`,
  ].filter((text) => text !== false);
  return (
    <div class="field" ref={root}>
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': problem !== undefined || undefined,
      })}
      {about !== undefined && (
        <div class="about" id={`${id}-about`}>
          {about}
        </div>
      )}
      {problem !== undefined && (
        <div class="wrong" id={`${id}-wrong`} role="alert">
          <Said text={problem.detail} />
          {problem.hint !== null && (
            <>
              {' '}
              Next: <Said text={problem.hint.replace(/\.$/, '')} />.
            </>
          )}
        </div>
      )}
    </div>
  );
}

/** What a field of one value is given. */
export interface FieldProps {
  label: ComponentChildren;
  about?: ComponentChildren;
  problem?: Problem | undefined;
  value: string;
  onChange: (value: string) => void;
}

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'password' | 'search' | 'date' | 'number';
  name?: string;
  placeholder?: string;
  autoComplete?: string;
  required?: boolean;
  pattern?: string;
  disabled?: boolean;
  list?: string;
}

/** A line of text with its label. */
export function TextField({ label, about, problem, value, onChange, ...more }: TextFieldProps) {
  return (
    <Field label={label} about={about} problem={problem}>
      {(control) => (
        <input
          {...more}
          {...control}
          // Else a year can be typed that has five digits, and filters nothing.
          max={more.type === 'date' ? '9999-12-31' : undefined}
          class="input"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A country by its two letters, found by its name, too. */
export function CountryField(field: Omit<FieldProps, 'label'>) {
  const list = useId();
  return (
    <>
      <TextField
        label="Country of numbers without +"
        placeholder="US, or a name"
        autoComplete="off"
        list={list}
        {...field}
      />
      <datalist id={list}>
        {countries().map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Every country that the browser has a name for, by that. */
function countries(): [code: string, name: string][] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)
    .flatMap((code): [string, string][] => {
      const name = names.of(code);
      return name === undefined ? [] : [[code, name]];
    })
    .sort(([, a], [, b]) => a.localeCompare(b));
}

/** A choice of a menu; a text stands for itself. */
type MenuChoice = string | { value: string; text: string };

/** A menu with its label. A value that is none of its choices, e.g. of an address, is one more. */
export function SelectField({
  value,
  onChange,
  any,
  choices,
  ...field
}: FieldProps & {
  /** The text of the first choice, which is none of the others: its value is empty. */
  any?: string | undefined;
  choices: readonly MenuChoice[];
}) {
  const texts = new Map([
    ...(any === undefined ? [] : [['', any] as const]),
    ...choices.map((one) =>
      typeof one === 'string' ? ([one, one] as const) : ([one.value, one.text] as const),
    ),
  ]);
  if (value !== '' && !texts.has(value)) texts.set(value, value);
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {[...texts].map(([each, text]) => (
            <option key={each} value={each} selected={each === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A box to tick, with its text. */
export function CheckField({
  checked,
  onChange,
  tabIndex,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  tabIndex?: number;
  children: ComponentChildren;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        tabIndex={tabIndex}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

/** After how many calls it stops by itself, beside the button that starts it; most leave it empty. */
export function StartLimit({ problem, ...field }: Omit<FieldProps, 'label'>) {
  return (
    <div class="start-limit">
      <TextField
        label="Limit of this start"
        placeholder="all calls"
        autoComplete="off"
        {...field}
        problem={problem && { ...problem, hint: null }}
      />
    </div>
  );
}

/** What is sent: null for all. What is no number is sent as it was typed, so that it is refused and nobody is called. */
export function limitOf(typed: string): number | string | null {
  const text = typed.trim();
  if (text === '') return null;
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** What is typed into the lines of a form. @param empty what stands in each at first, by its name in the request */
export function useTypedFields<F extends string>(empty: Readonly<Record<F, string>>) {
  const [typed, setTyped] = useState(empty);
  return {
    typed,
    clear: () => setTyped(empty),
    /** Attributes of a `TextField`. @param problem what is refused of it */
    fieldOf: (name: F, problem: Problem | undefined) => ({
      name,
      value: typed[name],
      problem,
      autoComplete: 'off',
      onChange: (value: string) => setTyped({ ...typed, [name]: value }),
    }),
  };
}

/**
 * A form: what is typed into its lines, what is done with that, and where a refusal is shown.
 *
 * @param empty see `useTypedFields`; @param fields see `problemPlaces`; @param act see `useAction`
 */
export function useForm<F extends string, P extends string>(
  empty: Readonly<Record<F, string>>,
  fields: Readonly<Record<NoInfer<F> | P, readonly string[]>>,
  act: (typed: Readonly<Record<F, string>>) => Promise<unknown>,
) {
  const { typed, clear, fieldOf } = useTypedFields(empty);
  const action = useAction(() => act(typed));
  const { at, elsewhere: problem } = problemPlaces<F | P>(action.problem, fields);
  return { form: { action, problem }, at, clear, fieldOf: (name: F) => fieldOf(name, at(name)) };
}

/** The fields of a form that hold something, without spaces around it: what is empty is left out of a request. */
export function filledIn<F extends string>(typed: Readonly<Record<F, string>>) {
  return Object.fromEntries(
    Object.entries<string>(typed)
      .map(([field, text]) => [field, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  ) as Partial<Record<F, string>>;
}

import { useEffect, useRef } from 'preact/hooks';
import { CheckField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { choose } from './choice.ts';

/**
 * Which columns the file has, and in which order.
 *
 * @param all in their own order
 * @param chosen empty: all
 */
export function ColumnChoice({
  all,
  chosen,
}: {
  all: readonly string[];
  chosen: readonly string[];
}) {
  const set = (columns: readonly string[]) => {
    choose({ columns: [...columns] });
  };
  return (
    <div class="stack tight columns-choice">
      <fieldset>
        <legend>
          Columns{' '}
          <span class="soft">
            {chosen.length === 0 ? `(all ${all.length})` : `(${chosen.length} of ${all.length})`}
          </span>
        </legend>
        <ul role="list">
          {all.map((name) => (
            <li key={name}>
              <CheckField
                checked={chosen.includes(name)}
                onChange={(checked) => {
                  set(checked ? [...chosen, name] : chosen.filter((one) => one !== name));
                }}
              >
                <span class="break">{name}</span>
              </CheckField>
            </li>
          ))}
        </ul>
      </fieldset>
      <div class="row tight">
        <button
          class="button small"
          type="button"
          disabled={chosen.length === all.length}
          onClick={() => {
            set([...chosen, ...all.filter((name) => !chosen.includes(name))]);
          }}
        >
          Tick all
        </button>
        <button
          class="button small"
          type="button"
          disabled={chosen.length === 0}
          onClick={() => {
            set([]);
          }}
        >
          Tick none
        </button>
        {chosen.length === 0 && (
          <span class="soft small-text">None ticked: all, in their own order.</span>
        )}
      </div>
      {chosen.length > 1 && <Order chosen={chosen} onChange={set} />}
    </div>
  );
}

function Order({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (columns: readonly string[]) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  /** The button that was pressed: it moves with its column, and the focus with it. */
  const pressed = useRef<string>();
  useEffect(() => {
    if (pressed.current === undefined) return;
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    buttons.find(({ dataset }) => dataset['moves'] === pressed.current)?.focus();
    pressed.current = undefined;
  });
  const move = (name: string, way: 'up' | 'down') => {
    const at = chosen.indexOf(name);
    const to = way === 'up' ? at - 1 : at + 1;
    const other = chosen[to];
    if (other === undefined) return;
    pressed.current = `${way} ${name}`;
    onChange(chosen.with(at, other).with(to, name));
  };
  return (
    <section class="order" aria-label="Their order in the file">
      <h3>Their order in the file</h3>
      <ol role="list" ref={list}>
        {chosen.map((name, i) => (
          <li key={name}>
            <span class="break">
              <span class="soft number">{i + 1}.</span> {name}
            </span>
            {(['up', 'down'] as const).map((way) => (
              <button
                key={way}
                class="button quiet small icon"
                type="button"
                data-moves={`${way} ${name}`}
                aria-label={`Move ${name} ${way}`}
                aria-disabled={name === chosen.at(way === 'up' ? 0 : -1)}
                onClick={() => {
                  move(name, way);
                }}
              >
                <Icon name={way} />
              </button>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { CheckField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { choose } from './choice.ts';

type Way = 'up' | 'down';

/**
 * Which columns the file has, and in which order.
 *
 * @param all in their own order
 * @param chosen null: all
 */
export function ColumnChoice({
  all,
  chosen: given,
}: {
  all: readonly string[];
  chosen: readonly string[] | null;
}) {
  const box = useRef<HTMLOListElement>(null);
  /** The button whose column was moved: the focus goes with it. */
  const moved = useRef<string>();
  const chosen = given ?? all;
  const rest = all.filter((name) => !chosen.includes(name));

  useEffect(() => {
    if (moved.current === undefined) return;
    const buttons = [...(box.current?.querySelectorAll('button') ?? [])];
    buttons.find(({ dataset }) => dataset['moves'] === moved.current)?.focus();
    moved.current = undefined;
  });

  const set = (names: readonly string[]) => {
    const isAll = names.length === 0 || names.join('\n') === all.join('\n');
    choose({ columns: isAll ? null : [...names] });
  };
  const move = (name: string, way: Way) => {
    const at = chosen.indexOf(name);
    const to = way === 'up' ? at - 1 : at + 1;
    const other = chosen[to];
    if (other === undefined) return;
    moved.current = `${way} ${name}`;
    set(chosen.with(at, other).with(to, name));
  };

  return (
    <fieldset class="columns-choice">
      <legend>
        Columns{' '}
        <span class="soft">
          ({given === null ? `all ${all.length}` : `${given.length} of ${all.length}`})
        </span>
      </legend>
      <ol role="list" ref={box} tabIndex={-1}>
        {[...chosen, ...rest].map((name) => (
          <li key={name} class={chosen.includes(name) ? '' : 'left-out'}>
            <CheckField
              checked={chosen.includes(name)}
              onChange={(checked) => {
                set(checked ? [...chosen, name] : chosen.filter((one) => one !== name));
              }}
            >
              <span class="break">{name}</span>
            </CheckField>
            {chosen.includes(name) &&
              (['up', 'down'] as const).map((way) => (
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
      <button
        class="button small"
        type="button"
        disabled={given === null}
        onClick={() => {
          set([]);
        }}
      >
        All columns, in their own order
      </button>
    </fieldset>
  );
}

import { signal } from '@preact/signals';
import { Notice, Said, type Tone } from './notice.tsx';

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
  setTimeout(() => {
    forget(id);
  }, SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {shown.value.map(({ id, lines, tone }) => (
        <Notice
          key={id}
          tone={tone}
          action={
            <button
              class="button quiet small"
              type="button"
              onClick={() => {
                forget(id);
              }}
            >
              Close
            </button>
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

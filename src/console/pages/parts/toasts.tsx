import { signal } from '@preact/signals';
import { Notice, type Tone } from './notice.tsx';

const SHOWN_MS = 8_000;
const MOST = 4;

const shown = signal<{ id: number; text: string; tone: Tone }[]>([]);
let ids = 0;

/** Shows a sentence for some seconds; longer while the pointer is on it. */
export function toast(text: string, tone: Tone = 'good'): void {
  const id = ++ids;
  shown.value = [...shown.value, { id, text, tone }].slice(-MOST);
  setTimeout(() => {
    forget(id);
  }, SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {shown.value.map(({ id, text, tone }) => (
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
          {text}
        </Notice>
      ))}
    </div>
  );
}

function forget(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id);
}

import type { ComponentChildren } from 'preact';

/** What an empty place is waiting for, in words, and the way to fill it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

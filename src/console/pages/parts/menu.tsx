import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** Further buttons behind one: opened and closed by it, by Escape, or by leaving it. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        close();
        menu.current.querySelector('summary')?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !(menu.current?.contains(relatedTarget) ?? false))
          close();
      }}
    >
      <summary class="button">
        {label}
        <Icon name="down" />
      </summary>
      <div
        class="menu-items"
        onClick={() => {
          // A dialog gives the keyboard back to where it was, which must not be within the closed menu.
          menu.current?.querySelector('summary')?.focus();
          close();
        }}
      >
        {children}
      </div>
    </details>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from './button.tsx';
import { Icon, type IconName } from './badge.tsx';

/** The heading of a page, with what can be done there at its right. */
export function PageHead({
  title,
  badge,
  crumbs,
  about,
  children,
}: {
  title: ComponentChildren;
  badge?: ComponentChildren;
  /** The way here. */
  crumbs?: ComponentChildren;
  /** One sentence on what the page is for. */
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="page-head">
      {crumbs !== undefined && (
        <nav class="crumbs" aria-label="The way here">
          {crumbs}
        </nav>
      )}
      <div class="title row between">
        <div class="row tight">
          <h1>{title}</h1>
          {badge}
        </div>
        <div class="row tight">{children}</div>
      </div>
      {about !== undefined && <p class="soft">{about}</p>}
    </div>
  );
}

/** Pages beside each other; each has an address. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { href: string; text: string; isCurrent: boolean }[];
}) {
  const nav = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
  useEffect(() => {
    // On a narrow screen not all of them are seen.
    nav.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={nav} class="tabs" aria-label={label}>
      {tabs.map(({ href, text, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

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

/** A button within a menu. */
export function MenuItem({
  text,
  icon,
  does,
}: {
  text: string;
  icon?: IconName;
  does: () => void;
}) {
  return (
    <Button kind="quiet" {...(icon && { icon })} onClick={does}>
      {text}
    </Button>
  );
}

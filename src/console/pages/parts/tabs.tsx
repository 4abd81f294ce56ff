import { useEffect, useRef } from 'preact/hooks';

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

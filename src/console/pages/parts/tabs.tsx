/** Pages beside each other; each has an address. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { href: string; text: string; isCurrent: boolean }[];
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, text, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

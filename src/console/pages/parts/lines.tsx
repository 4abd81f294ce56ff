/** Lines of text in a fixed-width face, as the terminal prints them. */
export function Lines({ lines, label }: { lines: readonly string[]; label: string }) {
  return (
    <pre class="lines" tabIndex={0} role="region" aria-label={label}>
      {lines.join('\n')}
    </pre>
  );
}

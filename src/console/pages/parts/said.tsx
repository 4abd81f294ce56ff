/** A sentence of callsheet; what it quotes in backticks is a command or a key. */
export function Said({ text }: { text: string }) {
  return (
    <>
      {text
        .split('`')
        .map((part, i) =>
          i % 2 === 1 ? <code key={i}>{part}</code> : <span key={i}>{part}</span>,
        )}
    </>
  );
}

import { here } from '../shell/navigation.ts';
import { piecesOf } from './places.ts';

/**
 * A sentence of callsheet, in the words of the terminal. A command or flag that is done here stands as its place on the
 * pages: a link, or the label of the field; what quotes it in the terminal is shown on hover.
 */
export function Said({ text }: { text: string }) {
  return (
    <>
      {piecesOf(text).map((piece, i) => {
        if (typeof piece === 'string') return <span key={i}>{piece}</span>;
        if ('code' in piece) return <code key={i}>{piece.code}</code>;
        const { text: place, href, said } = piece;
        // Nothing leads to where it stands.
        return href === undefined || href === here.value ? (
          <strong key={i} title={said}>
            {place}
          </strong>
        ) : (
          <a key={i} href={href} title={said}>
            {place}
          </a>
        );
      })}
    </>
  );
}

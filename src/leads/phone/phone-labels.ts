import { lettersAsDigits } from './phone-cell.ts';

/**
 * Removes URI schemes and the words that people write before or after a number.
 *
 * @returns the remaining text, and the removed labels, e.g. `Tel.:`
 */
export function withoutLabels(cell: string): { text: string; labels: string[] } {
  const [, digits] = LINK.exec(cell) ?? [];
  let text = digits === undefined ? cell : `+${digits}`;
  const labels = digits === undefined ? [] : [cell.slice(0, cell.indexOf(digits))];
  for (const label of [SCHEME, BEFORE, BEHIND]) {
    const found = label.exec(text)?.[0];
    // 212-555-HOME is a number in letters.
    if (found === undefined || (label === BEHIND && lettersAsDigits(text) !== undefined)) continue;
    text = text.replace(label, '').trim();
    labels.push(found.replace(/^[\s,;:(-]+/, '').replace(/(?<![\s)\]])[\s)\]]+$/, ''));
  }
  // RFC 3966: `phone-context` holds the prefix of an incomplete number.
  return { text: text.replace(/^([^;+]+);phone-context=(\+[\d-]+)$/i, '$2 $1'), labels };
}

/**
 * Words for phone lines in the languages whose column names are known. Words for fax, for whose number it is and for
 * numbers that must not be used are left out on purpose, so that such cells are not read as a number to call.
 */
const WORDS = [
  'tel|tele|teleph|telephone|telefon|telefono|teléfono|téléphone|telefone|telefoon|telefonnummer|telefonnr|tél|tlf|tlfn|tfno|tfn',
  'phone|phone number|phone no|ph|fon|fono|fone|mobile phone|cell phone',
  'mobile|mobil|móvil|movil|mob|mobiel|mobilnummer|mobiltelefon|mobilfunk|handy|handynummer|cell|cellular|cellulare|celular|cel|portable|gsm|natel|whatsapp|kännykkä|puhelin|komórka|komórkowy|telemóvel|sms',
  'home|work|office|private|privat|privé|direct|direkt|main|landline|festnetz|fixe|fijo|fisso|geschäftlich|dienstlich|büro|casa|bureau',
  'тел|телефон|моб|мобильный|電話|携帯|電話番号|携帯電話|电话|手机|手机号|전화|휴대폰|핸드폰|फोन|मोबाइल|هاتف|جوال',
]
  .join('|')
  .replaceAll(' ', '[ ]');

const SCHEME =
  /^(?:tel|telprompt|callto|sms|phone|skype|whatsapp|wa|facetime|facetime-audio|viber|signal):(?:\/\/)?/i;

/** Matches `Tel.:`, `Tel. (mobile):`, `p:` (as in form exports of a large network); a single letter needs a colon. */
const BEFORE = new RegExp(
  `^(?:(?:${WORDS})(?:(?:[.\\s/]|nr|no|number)*(?:\\((?:${WORDS})\\)|(?:${WORDS})(?!\\p{L})))?[.\\s]*(?:[:=#-]+\\s*)?|[ptmchwo][.]?:\\s*)(?=[+(\\d])`,
  'iu',
);

/** Matches ` mobile`, ` (mobile)`, ` - home`; a single letter needs parentheses. */
const BEHIND = new RegExp(
  `(?<=\\d)(?:[\\s,;:-]*[([]\\s*(?:${WORDS}|[ptmchwo])\\.?\\s*[)\\]]|[\\s,;:-]+(?:${WORDS})\\.?)$`,
  'iu',
);

/** Matches links to a chat, which have the number with its country code but without the `+`. */
const LINK =
  /^(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=|whatsapp:\/\/send\/?\?phone=|viber:\/\/(?:chat|add)\?number=)(?:%2B|\+)?(\d{7,15})(?:[/?&].*)?$/i;

const MOST_BYTES = 200;

/**
 * The name of an uploaded file, safe as a name on disk: without folders, control characters and dots in front, at most
 * 200 bytes with its ending, never empty.
 */
export function safeName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const plain = base
    .normalize('NFC')
    .replace(UNSAFE, '')
    .trim()
    .replace(/^[.-]+/, '')
    .trim();
  return plain === '' ? 'list' : shortened(plain);
}

/** Control and format characters, those that turn the direction of text, and halves of characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MOST_BYTES) return name;
  const [ending = ''] = /\.[A-Za-z0-9]{1,8}$/.exec(name) ?? [];
  const characters = Array.from(name.slice(0, name.length - ending.length));
  while (Buffer.byteLength(characters.join('')) > MOST_BYTES - ending.length) characters.pop();
  return characters.join('') + ending;
}

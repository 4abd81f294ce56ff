import { usageError } from '../../runtime/errors.ts';

/** What a file is when it is not a list, and what the operator can do about it. */
export interface FileKind {
  /** The predicate of a sentence that begins with the path: `is a PDF`. */
  is: string;
  next: string;
}

export const TELLING_BYTES = 1_024;

const FROM_SPREADSHEET =
  'open it where it was made, save it as .xlsx or "CSV UTF-8", and give that file';
const UNPACK = 'unpack it, and give the list that is in it';
const EXPORT = 'export the data itself as CSV: this file does not hold a table';

/** First bytes in hexadecimal; `..` is any byte. */
const SIGNATURES: [bytes: string, is: string, next: string][] = [
  ['25504446', 'is a PDF', EXPORT],
  ['89504e47', 'is a picture (PNG)', EXPORT],
  ['ffd8ff', 'is a picture (JPEG)', EXPORT],
  ['47494638', 'is a picture (GIF)', EXPORT],
  ['49492a00', 'is a picture (TIFF)', EXPORT],
  ['4d4d002a', 'is a picture (TIFF)', EXPORT],
  ['52494646........57454250', 'is a picture (WebP)', EXPORT],
  ['........66747970', 'is a picture or a film', EXPORT],
  ['424d........00000000', 'is a picture (BMP)', EXPORT],
  ['377abcaf271c', 'is packed with 7-Zip', UNPACK],
  ['526172211a07', 'is packed with RAR', UNPACK],
  ['425a68..314159265359', 'is packed with bzip2', UNPACK],
  ['fd377a585a00', 'is packed with xz', UNPACK],
  ['28b52ffd', 'is packed with zstd', UNPACK],
  ['504b0506', 'is an empty archive', UNPACK],
  ['504b0708', 'is one part of an archive', UNPACK],
  ['53514c69746520666f726d6174203300', 'is an SQLite database', EXPORT],
  ['00010000005374616e64617264204', 'is an Access database', EXPORT],
  ['5041523115', 'is a Parquet file', EXPORT],
  ['7b5c727466', 'is a document (RTF)', EXPORT],
  ['4d5a9000', 'is a program', EXPORT],
  ['7f454c46', 'is a program', EXPORT],
];

const PACKED: [bytes: string, is: string, next: string][] = [
  ['1f8b', 'holds another .gz', UNPACK],
  ['504b0304', 'holds a .zip or a workbook', UNPACK],
  ['d0cf11e0a1b11ae1', 'holds a workbook of the old kind (.xls) or another Office file', UNPACK],
];

const SAVE =
  'save it as UTF-8: in a spreadsheet as "CSV UTF-8", in an editor by the encoding that it asks for when it saves';

/** Text files that are not lists, by how their text begins. */
const TEXTS: [begins: RegExp, is: string, next: string][] = [
  [
    /^<\?xml[^]*?(?:Excel\.Sheet|urn:schemas-microsoft-com:office:spreadsheet)/,
    'is a workbook as XML (Excel 2003)',
    FROM_SPREADSHEET,
  ],
  [
    /^(?:<!--(?:[^-]|-[^-]|--+[^->])*--+>\s*|<\?xml[^>]*>\s*)*<(?:!doctype\s+html|html|head|body|table|meta|style|div)\b/i,
    'is a web page (HTML), whatever its name says: an error page, or a table that a spreadsheet can open',
    'look at it in a browser; if it is the table, open it in a spreadsheet and save it as .xlsx or "CSV UTF-8"',
  ],
  [/^<(?:\?xml\s|[a-z][^<>]*>\s*<)/i, 'is XML', 'export the data as CSV'],
  [
    /^(?:\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}\s*$)|\[\s*(?:\{\s*["}]|\[|\]\s*$|"(?:[^"\\]|\\.)*"\s*[,\]]\s*["\]\s]))/,
    'is JSON',
    'export the data as CSV, with a line of column names and one row per lead',
  ],
  [/^BEGIN:VCARD\b/i, 'is a file of contacts (vCard)', 'export the contacts as CSV'],
  [/^-----BEGIN PGP/, 'is encrypted (PGP)', 'decrypt it, and give the list that is in it'],
  [/^%!PS/, 'is a document (PostScript)', EXPORT],
];

const ESCAPE = '\x1b';

/** Encodings that write letters beyond ASCII with bytes of ASCII, so that they would pass as UTF-8. */
const HIDDEN: typeof TEXTS = [
  [new RegExp(`${ESCAPE}\\$`), 'is ISO-2022 (of Japan, Korea or China)', SAVE],
  [/~\{(?:[\x21-\x77][\x21-\x7e]){2,}~\}/, 'is HZ (of China)', SAVE],
  // RFC 2152, base64 of UTF-16 between `+` and `-`: its mark; one Western letter; letters below U+0800 in a row.
  [
    /^\+\/v[89+/]|\+A[M-X][AEIMQUYcgkosw048]-|\+[AB][\w+/][AEIMQUYcgkosw048][A-H][\w+/][AQgw][\w+/]{0,99}-/,
    'is UTF-7',
    SAVE,
  ],
];

/** Recognises a file by its first bytes, before anything is unpacked. */
export function kindOfFile(bytes: Uint8Array): FileKind | undefined {
  return kindIn(SIGNATURES, bytes);
}

export function kindOfContent(bytes: Uint8Array): FileKind | undefined {
  const isTar = Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar';
  if (isTar) return { is: 'holds a folder (.tar)', next: UNPACK };
  const kind = kindIn(SIGNATURES, bytes);
  if (kind === undefined) return kindIn(PACKED, bytes);
  return { is: `holds what ${kind.is}`, next: UNPACK };
}

export function kindOfText(head: string): FileKind | undefined {
  return kindBySign(TEXTS, head.trimStart());
}

/** Recognises an encoding that hides its letters in ASCII; such an encoding is not read. */
export function hiddenEncoding(text: string): FileKind | undefined {
  return kindBySign(HIDDEN, text);
}

function kindBySign(signs: typeof TEXTS, text: string): FileKind | undefined {
  const found = signs.find(([sign]) => sign.test(text));
  return found && { is: found[1], next: found[2] };
}

/** Recognises an old Office file, or an encrypted new one, by the names of the streams in it. */
export function kindOfOle(names: readonly string[]): FileKind {
  const has = (...wanted: string[]) => wanted.some((name) => names.includes(name));
  if (has('EncryptedPackage', 'EncryptionInfo')) {
    const next = 'open it with its password, save it without one, and give that file';
    return { is: 'is encrypted with a password', next };
  }
  if (has('Workbook', 'Book')) {
    return { is: 'is a workbook of the old kind (.xls)', next: FROM_SPREADSHEET };
  }
  if (has('WordDocument')) return { is: 'is a document (Word, .doc)', next: EXPORT };
  if (has('PowerPoint Document')) return { is: 'is a presentation (.ppt)', next: EXPORT };
  if (names.some((name) => name.startsWith('__'))) {
    return { is: 'is a message (Outlook, .msg)', next: 'save the list that is attached to it' };
  }
  return {
    is: 'is an Office file of the old kind, perhaps a workbook (.xls)',
    next: FROM_SPREADSHEET,
  };
}

/** Recognises a zip file that is the document of a program, by the names of its entries. */
export function kindOfArchive(names: readonly string[], mimetype: string): FileKind | undefined {
  const has = (name: string | RegExp) =>
    names.some((one) => (typeof name === 'string' ? one === name : name.test(one)));
  if (has('xl/workbook.bin')) {
    return { is: 'is a binary workbook (.xlsb)', next: FROM_SPREADSHEET };
  }
  if (/opendocument\.spreadsheet/.test(mimetype)) {
    return { is: 'is an OpenDocument spreadsheet (.ods)', next: FROM_SPREADSHEET };
  }
  if (/opendocument/.test(mimetype)) return { is: 'is an OpenDocument document', next: EXPORT };
  if (has('word/document.xml')) return { is: 'is a document (Word, .docx)', next: EXPORT };
  if (has('ppt/presentation.xml')) return { is: 'is a presentation (.pptx)', next: EXPORT };
  if (has('AndroidManifest.xml') || has('META-INF/MANIFEST.MF')) {
    return { is: 'is a program', next: EXPORT };
  }
  if (has(/(?:^|\/)Index\.zip$/) || (has(/(?:^|\/)Index\//) && has(/\.iwa$/))) {
    const next = 'open it in Numbers, export it as CSV or .xlsx, and give that file';
    return { is: 'is a Numbers spreadsheet (.numbers) or another iWork document', next };
  }
  return undefined;
}

function kindIn(
  signatures: readonly (readonly [string, string, string])[],
  bytes: Uint8Array,
): FileKind | undefined {
  const hex = Buffer.from(bytes.subarray(0, 20)).toString('hex');
  const found = signatures.find(([begins]) =>
    Array.from(begins).every((digit, at) => digit === '.' || digit === hex[at]),
  );
  return found && { is: found[1], next: found[2] };
}

/** Western European Windows: the encoding of most lists that are not UTF-8 and have no byte order mark. */
export const FALLBACK_ENCODING = 'windows-1252';

/** The standard name of an encoding. @throws AppError `FLAG_INVALID` (exit 2) */
export function requireEncoding(name: string): string {
  try {
    const { encoding } = new TextDecoder(name);
    if (encoding === 'iso-2022-jp') throw new RangeError(`${encoding} is not read`);
    return encoding;
  } catch (error) {
    throw usageError(
      'FLAG_INVALID',
      `--encoding "${name}" is not an encoding; usual ones are utf-8, utf-16le, windows-1252, windows-1251, macintosh, shift_jis, gb18030.`,
      'leave it out to have it found; what is not read here, such as UTF-7 and ISO-2022, is to be saved as "CSV UTF-8"',
      error,
    );
  }
}

/** Decodes bytes piece by piece; the last call is without bytes. */
export type Decode = (bytes: Buffer | undefined) => string;

/**
 * @param encoding a name that `TextDecoder` knows
 * @param fatal throws where the bytes are invalid in the encoding; false: they become U+FFFD
 */
export function decoderFor(encoding: string, fatal = true): Decode {
  const decoder = new TextDecoder(encoding, { fatal });
  return (bytes) =>
    bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
}

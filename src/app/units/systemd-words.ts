import { invalidFlag } from '../../config/hints.ts';

/*
 * The rules of quoting: systemd.syntax(7), "Quoting"; systemd.unit(5), "Specifiers"; systemd.service(5), "Command
 * lines". https://www.freedesktop.org/software/systemd/man/latest/systemd.syntax.html
 */

/** Words of these signs alone mean themselves everywhere. */
const PLAIN = /^[\w@+=:,./-]+$/;

/** One word of `ExecStart=`, after the program: there, `$` begins a variable. */
export function commandWord(word: string): string {
  return quoted(word.replaceAll('$', '$$$$'));
}

/**
 * The beginning of `ExecStart=`. systemd starts no program whose path has quotes or backslashes, so `env` starts such a
 * one; it is replaced by it, so that the main process stays the same.
 */
export function programWords(path: string): string {
  return /["'\\$]/.test(path) ? `/usr/bin/env ${commandWord(path)}` : quoted(path);
}

/** A word in a list of words, such as a path of `ReadWritePaths=` or an assignment of `Environment=`. */
export function quoted(word: string): string {
  assertOneLine(word);
  if (PLAIN.test(word)) return word;
  const escaped = word.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%');
  return `"${escaped}"`;
}

/**
 * The value of a setting that takes one path, such as `WorkingDirectory=`: nothing is unquoted there.
 *
 * @throws AppError `FLAG_INVALID` (exit 2) for a path that cannot be written like this
 */
export function wholePath(path: string): string {
  assertOneLine(path);
  // systemd cuts spaces off, and takes a backslash at the end of a line for "goes on in the next line".
  if (path !== path.trim() || path.endsWith('\\'))
    throw unwritable(path, 'begins or ends with a space or ends with a backslash');
  return path.replaceAll('%', '%%');
}

function assertOneLine(text: string): void {
  // eslint-disable-next-line no-control-regex -- it is control characters that are looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) throw unwritable(text, 'holds a control character');
}

function unwritable(text: string, why: string) {
  return invalidFlag(
    `${JSON.stringify(text)} ${why}, which a unit cannot say; use another path or name.`,
  );
}

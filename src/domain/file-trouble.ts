/** Why a file or folder cannot be read or written, and what to do. */
interface FileTrouble {
  /** The predicate of a sentence that begins with the path: `is a folder`. */
  is: string;
  check: string;
}

/**
 * What an error code of the system (`EACCES`) or of SQLite means for the person who named the file.
 * @param doing what was tried with the file
 * @returns undefined for an unknown code
 */
export function fileTrouble(code: string, doing: 'read' | 'written'): FileTrouble | undefined {
  const found = TROUBLES.find(([codes]) => codes.includes(code));
  if (found === undefined) return undefined;
  const [, is, check] = found;
  return { is: `${is.replace('{done}', doing)} (${code})`, check };
}

const TROUBLES: readonly [codes: readonly string[], is: string, check: string][] = [
  [
    ['EACCES', 'EPERM', 'SQLITE_PERM', 'SQLITE_AUTH'],
    'may not be {done} by this user',
    'Check whose file and folder it is (ls -l), and give this user the right, or name another one.',
  ],
  [['EISDIR'], 'is a folder', 'Name a file.'],
  [['ENOENT'], 'does not exist', 'Check the path; a relative one starts in the current folder.'],
  [
    ['ENOTDIR', 'EEXIST'],
    'cannot be there: a part of its path is a file, not a folder',
    'Check the path; a relative one starts in the current folder.',
  ],
  [['ELOOP'], 'is a link that leads back to itself', 'Name the file itself.'],
  [['ENAMETOOLONG'], 'has a name that is too long for the disk', 'Give it a shorter name.'],
  [
    ['EROFS', 'SQLITE_READONLY', 'SQLITE_READONLY_DIRECTORY', 'SQLITE_READONLY_DBMOVED'],
    'lies where nothing can be written',
    'Check the rights of the file and its folder, and whether the disk is mounted read-only, or name another place.',
  ],
  [
    ['ENOSPC', 'EDQUOT'],
    'does not fit: the disk, or the share of it that this user has, is full',
    'Make room there, or name another place.',
  ],
  [
    ['EBUSY', 'ETXTBSY', 'EAGAIN'],
    'is in use by another program',
    'Close that program, then try again.',
  ],
  [
    ['EMFILE', 'ENFILE'],
    'cannot be opened, as too many files are open',
    'Close other programs, or allow more (ulimit -n), then try again.',
  ],
  [
    ['EIO', 'ENXIO', 'ENODEV'],
    'cannot be {done}: its disk fails',
    'Check the disk, and whether it is there.',
  ],
  [
    ['ESTALE', 'ETIMEDOUT'],
    'cannot be {done}: its network disk is gone',
    'Check the network disk.',
  ],
];

/** As `fileTrouble`, for anything thrown; with an unknown code, the system's message is used. */
export function fileTroubleOf(error: unknown, doing: 'read' | 'written'): FileTrouble {
  const given = (error as { code?: unknown } | null)?.code;
  const code = typeof given === 'string' ? given : '';
  const text = error instanceof Error ? error.message : String(error);
  return (
    fileTrouble(code, doing) ?? {
      is: `cannot be ${doing} (${text})`,
      check: 'Check the path, its rights and its disk, or name another one.',
    }
  );
}

/** Endings of file formats in which callsheet does not write results. */
const OTHERS =
  /\.(pdf|xls|xlsm|xlsb|ods|numbers|tsv|json|xml|docx?|odt|rtf|pptx?|zip|gz|7z|parquet|png|jpe?g|gif|md)$/i;

/**
 * The message for a results file whose ending promises another format, where no `--format` is given; undefined where
 * the ending is fine.
 */
export function refusedEnding(what: string, file: string): string | undefined {
  const ending = OTHERS.exec(file)?.[0];
  if (ending === undefined) return undefined;
  return `${what} "${file}" ends in ${ending}, and results are written as .csv, .xlsx or .jsonl; name a file that ends in one of these, or say with --format which of csv, excel, xlsx and jsonl to write.`;
}

/** Endings of files with settings, keys or a database: a program might read results in such a file as one of these. */
const WORKED_WITH = /\.(ya?ml|toml|ini|env|key|pem|db|sqlite3?|dials)$/i;

/** The ending, e.g. `.yaml`, of a file that programs read by its name; undefined for any other file. */
export function workingEnding(file: string): string | undefined {
  return WORKED_WITH.exec(file)?.[0];
}

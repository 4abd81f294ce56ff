/** Where a campaign takes lists from by itself, and how; kept with the campaign. */
export interface ListSources {
  /** Absolute folders, absolute globs (`*` and `?` in the last part), and http(s) addresses. */
  from: string[];
  /** True: `serve` and `run` look every minute while they work, and not at openings alone. Default false. */
  watch: boolean;
  /** What becomes of a file that was taken or refused: moved into a folder beside it, or left. Default move. */
  after: 'move' | 'keep';
  /** `sync`: each list is complete, and waiting people who are not on it leave. Default add. */
  mode: 'add' | 'sync';
  /** The environment variable with the key of the addresses; left out: they are asked without a key. */
  keyEnv?: string;
  /** The largest answer of an address, in millions of bytes, 1 to 10,000. Default 200. */
  maxMegabytes: number;
}

/** What holds where nothing else was chosen. */
export const SOURCE_DEFAULTS = {
  watch: false,
  after: 'move',
  mode: 'add',
  maxMegabytes: 200,
} as const satisfies Partial<ListSources>;

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** True when the last part of a path has `*` or `?`. */
export function isGlob(path: string): boolean {
  return !isAddress(path) && /[*?][^/\\*?]*$/.test(path);
}

/** True when a part before the last one has `*`, which no glob may have. */
export function hasWildFolder(path: string): boolean {
  return !isAddress(path) && /\*[^/\\*]*[/\\]/.test(path);
}

import { statSync } from 'node:fs';
import { messageOf } from '../../runtime/errors.ts';
import { asSentence } from '../../text/plural.ts';
import type { OpenService } from '../services/service.ts';
import type { World } from '../world.ts';

/** A service that could not be opened, e.g. for want of its key, is tried again after this. */
const TRY_AGAIN_MS = 60_000;

interface Pooled {
  /** Undefined: it could not be opened. */
  opened: OpenService | undefined;
  /** Why not, or why its key could not be read again; empty: it was. */
  why: string;
  /** What the file of its key was when that was read. */
  file: string;
  /** On the monotonic clock. */
  at: number;
}

/**
 * The clients of a server, each opened at its first use, and again when the file that holds its key has changed: a key
 * that is replaced takes effect without a restart. A client that was replaced stays open until the end, as calls may be
 * in flight.
 */
export function servicePool(openNamed: (name: string) => Promise<OpenService>, world: World) {
  const pool = new Map<string, Promise<Pooled>>();
  const replaced: OpenService[] = [];

  const openAnew = async (name: string, before: Pooled | undefined): Promise<Pooled> => {
    const at = world.clock.monotonic();
    const file = fileOf(before?.opened);
    try {
      const opened = await openNamed(name);
      const known = before?.opened;
      // Another address or profile is another service: that takes a restart.
      const isSame = known?.service.fingerprint === opened.service.fingerprint;
      const isNew = known === undefined || (isSame && known.config.key !== opened.config.key);
      if (known !== undefined) replaced.push(isNew ? known : opened);
      if (known !== undefined && isNew)
        world.tell(`Service ${name}: its key was read again from ${opened.config.keyAt ?? ''}.`);
      const now = isNew ? opened : known;
      return { opened: now, why: '', file: known === undefined ? fileOf(now) : file, at };
    } catch (error) {
      const why = asSentence(messageOf(error));
      if (before?.why !== why) {
        const is = before?.opened === undefined ? 'is not used' : 'keeps its key';
        world.tell(`Service ${name} ${is}: ${why}`, 'problem');
        world.keepStack(error);
      }
      return { opened: before?.opened, why, file, at };
    }
  };

  const look = async (name: string, known: Promise<Pooled> | undefined): Promise<Pooled> => {
    const before = await known;
    const isDue =
      before?.opened === undefined
        ? world.clock.monotonic() - (before?.at ?? -Infinity) >= TRY_AGAIN_MS
        : fileOf(before.opened) !== before.file;
    return before === undefined || isDue ? openAnew(name, before) : before;
  };

  return {
    /** @returns undefined when it cannot be opened, which was told */
    open: async (name: string): Promise<OpenService | undefined> => {
      // One look after another, so that a service is not opened twice.
      const looking = look(name, pool.get(name));
      pool.set(name, looking);
      return (await looking).opened;
    },
    close: async (): Promise<void> => {
      for (const each of pool.values()) await (await each).opened?.close();
      for (const each of replaced) await each.close();
    },
  };
}

/** What changes when the file of a key is written or replaced; empty: the key comes from the environment. */
function fileOf(opened: OpenService | undefined): string {
  const file = opened?.config.keyFile ?? null;
  if (file === null) return '';
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    return messageOf(error);
  }
}

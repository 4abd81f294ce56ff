import { locateDatabase, nameOf } from '../../../app/places/home.ts';
import type { StopSignals } from '../../../app/run/run-events.ts';
import { SIMULATED } from '../../../config/services-file.ts';
import type { RunningConsole } from '../../../console/console.ts';
import type { readServeConsole } from '../../args/console-options.ts';
import { version } from '../../args/help.ts';
import { logOf } from '../../args/options.ts';
import type { CommonArgs } from '../../args/command.ts';
import type { CommandIo } from '../../io.ts';
import { addressesOf, tellAddress } from '../access/console.ts';

type ServeArgs = CommonArgs & Record<'db' | 'service' | 'services', string | undefined>;
type Listener = NonNullable<ReturnType<typeof readServeConsole>>;

/**
 * Starts the console within `serve`; what is started in it is called by `serve`. Loaded only where it is wanted.
 *
 * @param stop ends `serve`
 * @throws AppError those of `startConsole`
 */
export async function startServeConsole(
  listener: Listener,
  args: ServeArgs,
  stop: StopSignals,
  io: CommandIo,
) {
  const { startConsole } = await import('../../../console/console.ts');
  const { service, services } = args;
  // The database that is served: without --db, rehearsals have their own.
  const db = service === SIMULATED ? nameOf(locateDatabase(args, io, true)) : args.db;
  // A server that fails ends the console's own work, too.
  const over = new AbortController();
  const running = await startConsole(
    { ...listener, db, services, dials: 'serve', version: version() },
    {
      log: logOf(args, io),
      stop: {
        dialling: AbortSignal.any([stop.dialling, over.signal]),
        all: AbortSignal.any([stop.all, over.signal]),
        left: stop.left,
      },
    },
    io,
  );
  return {
    /** For `--json`. */
    addresses: addressesOf(running),
    tell: () => tellServed(running, io),
    close: () => {
      over.abort();
      return running.close();
    },
  };
}

/** A service that nobody looks at prints no link: its output is kept. */
async function tellServed(running: RunningConsole, io: CommandIo): Promise<void> {
  if (running.link === null || io.attended) {
    await tellAddress(running, { opens: false }, io);
    return;
  }
  io.tell(
    `The console is at ${running.url}; \`callsheet console --link\` prints a link that lets you in.`,
  );
}

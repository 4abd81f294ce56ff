import { setMaxListeners } from 'node:events';
import type { Operator, MessageKind } from '../../app/world.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { CommandIo, CommandUnderway, Io } from '../io.ts';
import type { Outcome } from '../print/outcome.ts';
import { keepStack, say } from './output.ts';
import { listProgress, progressEveryMs, showProgress, type ProgressDisplay } from './progress.ts';
import { ask, confirm, dataStream } from './terminal.ts';
import type { RunEvent, RunWatch } from '../../app/run/run-events.ts';
import { asSentence, counted, shellWord } from '../../text/wording.ts';
import { tellNotice } from '../../app/sentences/notices.ts';
import { heldInDoubt, runLine } from '../print/calls.ts';

/** How long calls in progress are collected after the first signal: less than the 90 s after which systemd kills. */
const COLLECT_AFTER_STOP_MS = 60_000;

/**
 * Closing a terminal or a session sends several signals at once: the kernel and the shell a SIGHUP each, systemd
 * SIGTERM and SIGHUP, `timeout` SIGTERM to the process and to its group. These are not a second request to leave at
 * once, which would put every dial in flight in doubt; so signals within this time count as one.
 */
const ONE_CLOSING_MS = 2_000;

/**
 * Two-stage stop by Ctrl-C, SIGTERM (systemd, `timeout`) or SIGHUP (a closed terminal): the first signal stops
 * dialling, the second one leaves. Both are safe, because everything that matters is in the database already.
 */
export function createStop(io: CommandIo) {
  const dialling = new AbortController();
  const all = new AbortController();
  const left = new AbortController();
  const forgotten = new AbortController();
  // Each campaign that `serve` calls listens; with more than ten, Node would warn on stderr, and cron would mail that.
  setMaxListeners(0, dialling.signal, all.signal, left.signal);
  let last = -Infinity;
  let isWriting = false;
  let stopListening: (() => void) | undefined;
  return {
    signals: { dialling: dialling.signal, all: all.signal, left: left.signal },
    /**
     * Begins to listen.
     *
     * @param tell prints what the first signal does
     * @param rest the end of that sentence: what happens to calls that are not collected
     */
    listen: (tell: Operator['tell'], rest: string) => {
      stopListening = io.onSignal((signal) => {
        if (isWriting) {
          if (signal === 'SIGINT') io.leave(EXIT.interrupted);
          return;
        }
        const since = io.clock.monotonic() - last;
        last = io.clock.monotonic();
        if (dialling.signal.aborted) {
          if (signal !== 'SIGINT' && since < ONE_CLOSING_MS) return;
          all.abort();
          left.abort();
          return;
        }
        const by = signal === 'SIGINT' ? '' : ` (${signal})`;
        const again = signal === 'SIGINT' ? 'Ctrl-C again' : 'A second signal';
        tell(
          `Stopping${by}: no new call is started; calls in progress are collected for up to a minute. ${again} leaves at once; ${rest}`,
          // A person who has just pressed Ctrl-C expects an answer even with --quiet.
          signal === 'SIGINT' ? 'problem' : 'told',
        );
        dialling.abort();
        void io.clock.sleep(COLLECT_AFTER_STOP_MS, forgotten.signal).then(() => all.abort());
      });
    },
    /** Results are being written: Ctrl-C leaves at once, but SIGTERM and SIGHUP wait until the results are complete. */
    writing: () => {
      isWriting = true;
      forgotten.abort();
    },
    forget: () => {
      stopListening?.();
      forgotten.abort();
    },
  };
}

/** After Ctrl-C, work that has not ended within this time, e.g. while a service is silent, is abandoned. */
const LEAVE_AFTER_MS = 500;

/**
 * Wraps a command so that Ctrl-C ends it with a sentence on what is stored so far, and exit 130. The work gets
 * `io.underway`, whose signal stops reading, importing and asking.
 */
export function interruptible<A, T>(
  work: (args: A, io: CommandIo & { underway: CommandUnderway }) => Promise<Outcome<T>>,
): (args: A, io: CommandIo) => Promise<Outcome<T>> {
  return async (args, io) => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const ended = new AbortController();
    const over = io.onSignal(() => {
      // A second Ctrl-C leaves at once.
      if (signal.aborted) io.leave(EXIT.interrupted);
      else {
        stopped.abort();
        void leaveSoon(underway, ended.signal, io);
      }
    });
    const underway: CommandUnderway = { signal, kept: undefined, cleanUps: new Set(), over };
    try {
      return await work(args, withOperator({ ...io, underway }));
    } catch (error) {
      if (!signal.aborted) throw error;
      tell(underway, io);
      return { code: EXIT.interrupted };
    } finally {
      ended.abort();
      over();
    }
  };
}

async function leaveSoon(underway: CommandUnderway, ended: AbortSignal, io: CommandIo) {
  await io.clock.sleep(LEAVE_AFTER_MS, ended);
  if (ended.aborted) return;
  for (const cleanUp of underway.cleanUps) await cleanUp().catch(() => undefined);
  tell(underway, io);
  io.leave(EXIT.interrupted);
}

function tell({ kept }: CommandUnderway, io: Io): void {
  say(
    io,
    kept === undefined
      ? 'Interrupted: nothing was changed, nobody was called.'
      : `Interrupted: ${kept}; the same command goes on from there; nobody was called.`,
  );
}

/**
 * Adds the operator: the person at this terminal, or the log of an unattended job.
 *
 * @param io the rest of what a command gets, with its messages and the work that Ctrl-C may interrupt
 */
export function withOperator<T extends Io & Pick<CommandIo, 'leave'>>(io: T): T & CommandIo {
  const operator: Operator = {
    attended: io.stdinIsTty && io.stderrIsTty,
    tell: say.bind(null, io),
    keepStack: keepStack.bind(null, io),
    confirm: confirm.bind(null, io),
    ask: ask.bind(null, io),
    progress: listProgress.bind(null, io),
  };
  return { ...io, ...operator, data: dataStream(io) };
}

/** Shows one run to the operator: its progress, its events, and how Ctrl-C stops it. */
export function watchRun(io: CommandIo): RunWatch {
  const stop = createStop(io);
  let display: ProgressDisplay | undefined;
  let name = '';
  const tell = (sentence: string, kind: MessageKind) => {
    if (display === undefined) say(io, sentence, kind);
    else display.say(sentence, kind);
  };

  const onEvent = (event: RunEvent) => {
    switch (event.is) {
      case 'committed':
        // From here on, the first Ctrl-C stops dialling instead of ending the command.
        io.underway?.over();
        break;
      case 'begun': {
        const { campaign, bounds } = event;
        ({ name } = campaign);
        const collect = `\`callsheet collect ${shellWord(name)}\``;
        if (campaign.kind === 'list') {
          io.messages?.begun();
          if (io.messages !== undefined) say(io, runLine(campaign, bounds, io));
          display = showProgress(io);
        }
        stop.listen(tell, `${collect} brings in what is open then.`);
        break;
      }
      case 'progress':
        display?.show(event.progress, event.last);
        break;
      case 'doubts_hold_slots':
        tell(heldInDoubt(event.held, event.campaign), 'problem');
        break;
      case 'reading_fails':
        tell(
          `Analytics could not be read: ${asSentence(event.detail)} They are polled until the deadline; this is said once.`,
          'problem',
        );
        break;
      case 'ended':
        if (display === undefined) stop.forget();
        else stop.writing();
        break;
      case 'left': {
        const collect = `\`callsheet collect ${shellWord(name)}\``;
        const rest =
          event.open === 0
            ? 'no call is open'
            : `${collect} brings in ${counted(event.open, 'open call')}`;
        say(io, `Left at once. Nothing is lost: ${rest}.`, 'problem');
        io.leave(EXIT.interrupted);
        break;
      }
      case 'over':
        stop.forget();
        break;
      case 'notice':
        tellNotice(event, name, tell);
    }
  };
  return { stop: stop.signals, everyMs: progressEveryMs(io), onEvent };
}

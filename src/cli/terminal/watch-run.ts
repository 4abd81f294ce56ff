import type { RunEvent, RunWatch } from '../../app/run/run-events.ts';
import type { MessageKind } from '../../app/world.ts';
import { EXIT } from '../../runtime/errors.ts';
import { asSentence, counted, shellWord } from '../../text/wording.ts';
import type { CommandIo } from '../io.ts';
import { tellNotice } from '../../app/sentences/notices.ts';
import { heldInDoubt, runLine } from '../print/calls.ts';
import { say } from './output.ts';
import { progressEveryMs, showProgress, type ProgressDisplay } from './progress.ts';
import { createStop } from './stop.ts';

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

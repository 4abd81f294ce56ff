import type { Operator } from '../app/world.ts';
import type { CommandIo, Io } from './io.ts';
import { ask, confirm, dataStream } from './terminal/terminal.ts';
import { listProgress } from './terminal/progress.ts';
import { keepStack, say } from './terminal/output.ts';

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

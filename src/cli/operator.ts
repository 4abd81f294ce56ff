import type { Operator } from '../app/world.ts';
import type { CommandIo, Io } from './io.ts';
import { ask } from './terminal/ask.ts';
import { confirm } from './terminal/confirm.ts';
import { listProgress } from './terminal/list-progress.ts';
import { keepStack, say } from './terminal/output.ts';
import { dataStream } from './terminal/terminal.ts';

/** @param io what a command gets, with its messages and what is under way */
export function withOperator<T extends Io & Pick<CommandIo, 'leave'>>(io: T): T & CommandIo {
  return { ...io, ...operatorAt(io), data: dataStream(io) };
}

/** The person at this terminal, or the log of a job that nobody watches. */
function operatorAt(io: Io): Operator {
  return {
    attended: io.stdinIsTty && io.stderrIsTty,
    tell: (sentence, kind, code) => {
      say(io, sentence, kind, code);
    },
    keepStack: (error) => {
      keepStack(io, error);
    },
    confirm: (question, word) => confirm(io, question, word),
    ask: (question) => ask(io, question),
    progress: (what) => listProgress(io, what),
  };
}

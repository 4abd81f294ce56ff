import { assertWritableUnwritten } from '../../results/target.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import { refuseMistakes } from './approve.ts';
import { approve, type CommitOptions } from './commit-plan.ts';
import type { Io } from '../../cli/io.ts';
import { printJson, say } from '../../cli/terminal/output.ts';
import type { Plan } from './plan.ts';
import { lookBack, planJson, sayPlanned } from '../../cli/print/plan-report.ts';
import { shellWord } from '../../text/shell-word.ts';

/**
 * All that `run` does before it changes something: the plan, with the refusals and exit codes that `run` would have.
 * What `run` asks on a terminal is not asked, as nothing follows from the answer.
 *
 * @param file the results file, absolute, or `-`
 * @throws AppError as `commitPlan` before anything is changed
 */
export async function dryRun(
  plan: Plan,
  file: string,
  { yes, json, ...options }: Omit<CommitOptions, 'purpose' | 'assertResults'> & { json: boolean },
  io: Io,
): Promise<ExitCode> {
  refuseMistakes(plan, options);
  const canAsk = io.stdinIsTty && io.stderrIsTty;
  const again = options.again === true || canAsk;
  const { agent } = await approve(
    plan,
    { ...options, again, yes: yes || canAsk, purpose: 'run' },
    io,
  );
  if (file !== '-') await assertWritableUnwritten(file);
  // What other campaigns have to do with it was said above, where it would be asked.
  await sayPlanned(plan, { called: null, repeated: [] }, io);
  if (plan.campaign?.pauseReason === 'operator') {
    const resume = `callsheet resume ${shellWord(plan.name)}`;
    say(io, `Campaign "${plan.name}" is paused: it would only collect. \`${resume}\` lifts that.`);
  }
  if (json) {
    const about = planJson(plan, await lookBack(plan, io));
    printJson(io, { ...about, agentName: agent?.name ?? null, resultsFile: file });
  }
  say(io, `Results would go to ${file === '-' ? 'the standard output' : file}.`);
  say(io, 'Dry run: nobody was called, nothing was written.');
  return EXIT.ok;
}

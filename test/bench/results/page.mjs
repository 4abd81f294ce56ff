// The page of `npm run bench`: figures beside their goals, and two plots.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { plot } from './plot.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Writes `results.md` into a folder, and its plots into `results` there.
 * @param records what the benchmarks have recorded; `about`: when, how long and with which sizes they ran
 */
export async function writePage(folder, records, about) {
  const figures = records.filter(({ goal }) => goal !== undefined);
  const held = figures.filter(({ holds }) => holds).length;
  writeFileSync(join(folder, 'results/cost.svg'), costPlot(records));
  writeFileSync(join(folder, 'results/slots.svg'), slotsPlot(records));
  const rows = figures.map(
    ({ work, what, found, goal, holds, baseline = '' }, n) =>
      `| ${work === figures[n - 1]?.work ? '' : work} | ${what} | ${found} | ${goal} | ${holds ? 'holds' : '**missed**'} | ${baseline} |`,
  );
  const page = `# Benchmarks of ${about.date}

\`npm run bench\` has written this page. [What is measured, and how](../README.md#benchmarks). ${held} of ${figures.length} goals hold.

- **Machine**: ${availableParallelism()} cores, Node ${process.version.slice(1)}, load ${about.load} before the first measurement.
- **Time**: ${about.minutes.toFixed(0)} minutes; three rounds in turn with the baseline, medians. Slots are measured in virtual time, once.
- **Sizes**: ${about.sizes}.

## Figures

| work | what | figure | goal | | beside it |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

## What a lead costs, by the length of the list

A whole run of callsheet, each step durable before the next, and the script that forgets everything in a crash. The start of the program
is shared by all leads of a list.

![Processor time of a lead, by the length of the list](results/cost.svg)

## Slots in use during a night

50 slots, and a service that tells the end of a call by a webhook, only when it is asked, or when it is asked and refuses more than
3 requests a second. The last people are called where the lines fall.

![Slots in use in each minute of a night](results/slots.svg)
`;
  const style = JSON.parse(readFileSync(join(root, '.config/prettier.json'), 'utf8'));
  writeFileSync(join(folder, 'results.md'), await format(page, { ...style, parser: 'markdown' }));
}

function costPlot(records) {
  const costs = records.filter(({ cost }) => cost !== undefined).sort((a, b) => a.leads - b.leads);
  const most = Math.max(...costs.flatMap(({ cost }) => Object.values(cost)));
  return plot({
    title: 'Processor time of a lead, by the length of the list',
    x: { label: 'leads in the list', ticks: costs.map(({ leads }) => leads), isLog: true },
    y: { label: 'ms of processor time a lead', ticks: ticksTo(most * 1.1) },
    lines: ['callsheet', 'script'].map((name) => ({
      name,
      points: costs.map(({ leads, cost }) => [leads, cost[name]]),
    })),
    hasValues: true,
  });
}

function slotsPlot(records) {
  const nights = records.filter(({ slots }) => slots !== undefined);
  const lines = Object.entries({
    polls: 'polls alone',
    refusing: 'refused above 3 requests a second',
    webhooks: 'webhooks',
  }).map(([part, name]) => ({
    name,
    points: nights.find(({ slots }) => slots === part).inUse.map((count, n) => [n + 0.5, count]),
  }));
  const minutes = Math.max(...lines.map(({ points }) => points.length));
  return plot({
    title: 'Slots in use in each minute of a night, of 50',
    x: { label: 'minutes since the first call', ticks: ticksTo(minutes) },
    y: { label: 'slots in use', ticks: [0, 10, 20, 30, 40, 50] },
    lines,
  });
}

/** From 0 on, some five steps of 1, 2 or 5. */
function ticksTo(most) {
  const size = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map((times) => times * size).find((each) => most / each <= 6);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, n) =>
    Number((n * step).toFixed(6)),
  );
}

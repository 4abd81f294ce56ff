// Reads what the benchmark names, in a process of its own that can be ended.
import { READ } from './files.mjs';
import { MORE, textOf } from './readers.mjs';

process.on('message', async ({ file, name, unit, shape, path }) => {
  const module = await import(new URL(`../../../dist/${file}`, import.meta.url).href);
  const [texts, more] = path === undefined ? [textOf(unit, shape), MORE[name] ?? []] : [[], []];
  let held = 0;
  let isOver = false;
  let last = process.cpuUsage();
  const turn = () => {
    held = Math.max(held, msSince(last));
    last = process.cpuUsage();
    if (!isOver) setImmediate(turn);
  };
  if (path !== undefined) turn();
  const before = process.cpuUsage();
  const said = [];
  for (const text of texts) {
    try {
      module[name](text, ...more);
    } catch {
      // What a reader throws is an answer, too.
    }
  }
  if (path !== undefined) {
    await READ[name](module[name], path).catch((error) => said.push(error.message.slice(0, 300)));
    await new Promise(setImmediate);
  }
  isOver = true;
  process.send({ ms: msSince(before), held, said: said.join() });
});
process.send('ready');

/** Of this process: on a busy machine the time on the wall says nothing. */
function msSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

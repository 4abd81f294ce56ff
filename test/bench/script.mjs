// What a competent user would write instead of callsheet: read the list, at most 100 calls at once, start
// each call, look every 20 ms until its analytics are there, write one CSV at the end. Nothing is kept on
// the way: a crash loses everything and calls everybody again.
//
//   node script.mjs <list.csv> <service url> <out.csv> <concurrency>
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse';
import pLimit from 'p-limit';
import { request } from 'undici';

const [list, url, out, concurrency] = process.argv.slice(2);
const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
const limit = pLimit(Number(concurrency));

const tasks = [];
for await (const lead of createReadStream(list).pipe(parse({ columns: true }))) {
  tasks.push(limit(() => call(lead)));
}
const rows = await Promise.all(tasks);
const cell = (value) => `"${String(value ?? '').replaceAll('"', '""')}"`;
const lines = [Object.keys(rows[0]), ...rows.map(Object.values)];
await writeFile(out, lines.map((line) => line.map(cell).join(',') + '\n').join(''));

async function call(lead) {
  const started = await request(`${url}/v1/calls/outbound`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ phone_number: lead.phone, agent_id: 'ag_bench' }),
  });
  const { call_id } = await started.body.json();
  for (;;) {
    await sleep(20);
    const answer = await request(`${url}/v1/calls/${call_id}/analytics`, { headers });
    const analytics = await answer.body.json();
    if (answer.statusCode === 200) {
      const { duration, sentiment, transcript } = analytics;
      return { ...lead, call_id, duration, sentiment: sentiment.label, transcript };
    }
  }
}

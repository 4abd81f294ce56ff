// npm run soak: real processes over TCP, killed and stopped at random moments, for as long as you like. After
// every campaign the service's own ledger, the list and the export must agree.
//
//   node test/soak/run.mjs [--minutes 10] [--campaigns 2]
//
// So many campaigns go on at the same time, each with a service and a database of its own.
//
// Exit 1, and the folder of the campaign is kept, when a promise did not hold.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.mjs';
import { killAll } from './processes.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    campaigns: { type: 'string', default: '2' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes is a number above 0, not "${values.minutes}"`);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
process.on('exit', killAll);

const folder = mkdtempSync(join(tmpdir(), 'callsheet-soak-'));
const startedAt = Date.now();
const end = startedAt + minutes * 60_000;
const did = {
  campaigns: 0,
  cycles: 0,
  kills: 0,
  early: 0,
  stops: 0,
  failed: 0,
  calls: 0,
  doubts: 0,
  most: 0,
};
const violations = [];
let begun = 0;

console.log(`${minutes} minutes, in ${folder}`);
const telling = setInterval(tell, 60_000);
await Promise.all(Array.from({ length: Number(values.campaigns) }, campaignAfterCampaign));
clearInterval(telling);
tell();
for (const violation of violations) console.log(`VIOLATION ${violation}`);
if (violations.length > 0) {
  console.log(`everything is kept in ${folder}`);
  process.exitCode = 1;
} else {
  rmSync(folder, { recursive: true });
  console.log('no number rang twice, no row and no result is missing, every run completed');
}

async function campaignAfterCampaign() {
  while (Date.now() < end && violations.length === 0) {
    const name = `campaign-${++begun}`;
    const found = await runCampaign(join(folder, name), did, end);
    did.campaigns += 1;
    violations.push(...found.map((what) => `${name}: ${what}`));
    if (found.length === 0) rmSync(join(folder, name), { recursive: true });
  }
}

/** Calls and doubts are those of the campaigns that are checked. */
function tell() {
  const { campaigns, cycles, kills, early, stops, failed, calls, doubts, most } = did;
  const passed = ((Date.now() - startedAt) / 60_000).toFixed(1);
  const perKill = (doubts / Math.max(1, kills)).toFixed(2);
  console.log(
    `${passed} min: ${campaigns} campaigns, ${cycles} cycles: ${kills} kills after a claim, ${early} earlier, ` +
      `${stops} stops, ${failed} failed and started again; ${calls} calls, ` +
      `${perKill} unknown per kill (${most} at most); ${violations.length} violations`,
  );
}

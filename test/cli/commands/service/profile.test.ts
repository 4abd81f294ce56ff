import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadProfile } from '../../../../src/service/profile/profile.ts';
import { desk } from '../../../helpers/callsheet.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { answers, callsheet, tryAnswers } from './samples.ts';

const DONE = {
  data: {
    call: { state: 'completed', talk_time: 42 },
    transcript: [{ speaker: 'bot', text: 'Hello' }],
    sentiment: 'positive',
    duration_seconds: 42,
    lucky_number: 7,
  },
};

describe('profile check', () => {
  it('says what a profile in order does', async () => {
    const { code, out, err } = await callsheet(tempFolder(), 'profile', 'check', 'voice-agent');
    expect([code, err]).toEqual([0, expect.stringContaining('is a profile in order')]);
    expect(out).toMatch(/dial +POST \/v1\/calls\/outbound with phone_number, agent_id as json/);
    expect(out).toMatch(/needs +\{\{phone\}\} \{\{agent\}\}/);
  });

  it('says of each section what is in it, and none only where there is none', async () => {
    const told = async (name: string) => {
      const { out } = await callsheet(tempFolder(), 'profile', 'check', name, '--json');
      return (JSON.parse(out) as { says: Record<string, string> }).says;
    };
    const UNSIGNED = 'none: what they say about a call counts only once the service confirms it';
    expect(await told('reference')).toMatchObject({
      key: 'Authorization: Bearer KEY',
      agents: 'GET /v2/agents?limit=100, only = !has(body.kind) || body.kind == "voice"',
      'new agents': 'POST /v2/agents',
      'of the person': '{{variables?}} {{firstName|there}}',
      'same key': 'Idempotency-Key and {{attempt}}; nothing is promised for it',
      refusals:
        '400 rejected, 401 pause, 402 pause, 403 pause, 404 pause, 422 rejected, 429 refused; words at error.code',
      'free slots': 'GET /v2/account: free_slots, = body.calls.limit - body.calls.current',
      webhooks:
        'ended: call_ended; analytics: call_analyzed; lead_captured: lead_captured; ignored: all others',
      signature: 'Standard Webhooks',
      'sent from': 'any address',
      limits:
        '20 requests a second, 10 dials a second, 25 calls at once, no call longer than 30m, answers in full within 30s',
    });

    const cwd = tempFolder();
    const text = readFileSync('campaigns/profiles/reference.yaml', 'utf8');
    const say = async (more: string) => {
      writeFileSync(join(cwd, 'mine.yaml'), text.slice(0, text.indexOf('\ncalls:')) + more);
      const { out } = await callsheet(cwd, 'profile', 'check', './mine.yaml', '--json');
      return (JSON.parse(out) as { says: Record<string, string> }).says;
    };
    const none = { calls: 'none', 'free slots': 'none', webhooks: 'none', limits: 'none' };
    expect(await say('')).toMatchObject({ ...none, signature: 'none', 'sent from': 'none' });
    const events = "\nwebhooks: { type: [], callId: [id], events: { '*': ended }";
    expect(await say(`${events} }`)).toMatchObject({
      webhooks: 'ended: all others',
      signature: UNSIGNED,
    });
    const hmac = "signature: { scheme: hmac, header: X-Sig, signed: '{body.id}' }";
    expect(await say(`${events}, ${hmac}, ips: [192.0.2.7] }`)).toMatchObject({
      signature: 'HMAC sha256 of {body.id} in x-sig: only that is proved',
      'sent from': '192.0.2.7',
    });
  });

  it('names the line and column of a mistake', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'mine.yaml'), 'auth: { header: A, prefix: B }\ndail: {}\n');
    const { code, err } = await callsheet(cwd, 'profile', 'check', './mine.yaml');
    expect(code).toBe(2);
    expect(err).toMatch(
      /mine\.yaml:2:1: "dail" is not a known key; the nearest known key is "dial"/,
    );
  });
});

describe('profile try', () => {
  it('shows what was found where, what was missed and what nobody has taken', async () => {
    const cwd = answers({ 'analytics-done.json': DONE, 'notes.txt': 'x' });
    const { code, out, err } = await tryAnswers(cwd);
    expect([code, err]).toEqual([0, '1 answer understood.\n']);
    expect(out).toContain(
      'analytics-done.json: settled: result no_answer, derived from the transcript, duration 42 s, sentiment positive',
    );
    expect(out).toMatch(/found +analytics\.duration +duration_seconds +42/);
    expect(out).toMatch(/found +analytics\.transcript\.say +text +"Hello"/);
    expect(out).toMatch(/missed +analytics\.cost +cost, total_cost,/);
    expect(out).toMatch(/unused +- +data\.lucky_number +7/);
    expect(out).not.toMatch(/missed +analytics\.transcript/);
  });

  it('follows a link to the next page that is a whole address', async () => {
    const next = 'https://api.example.com/v1/agents?page=2';
    const cwd = answers({ 'agents.json': { agents: [{ id: 'a1' }], next } });
    const { code, out } = await tryAnswers(cwd);
    expect([code, out]).toEqual([0, expect.stringContaining('next page: /v1/agents?page=2')]);
  });

  it('takes every operation, and its status from the name of the file', async () => {
    const cwd = answers({
      'agents.json': { agents: [{ agent_id: 'a1', name: 'Ana' }], next_cursor: 'c2' },
      'analytics-404.json': { error: 'not yet' },
      'analytics-ended.json': { status: 'processing' },
      'dial.json': { data: { call_id: 'c1' } },
      'dial-422-number.json': { error: 'bad number' },
      'dial-429.json': '{}',
      'dial-500.json': 'oops',
      'webhook-finished.json': { type: 'call.finished', data: { call_id: 'c1' } },
    });
    const { code, out } = await tryAnswers(cwd, 'voice-agent', '--json');
    const readings = JSON.parse(out) as { name: string; says: string }[];
    expect(Object.fromEntries(readings.map(({ name, says }) => [name, says]))).toEqual({
      'agents.json': '1 of 1 have an id; next page: /v1/agents?cursor=c2',
      'analytics-404.json': 'not completed yet: pending',
      'analytics-ended.json': 'the line is down, the analytics are still to come',
      'dial.json': 'placed: call c1',
      'dial-422-number.json': 'rejected',
      'dial-429.json': 'refused',
      'dial-500.json': expect.stringMatching(/^unknown \(the call may have been made/) as string,
      'webhook-finished.json': 'event call.finished: ended, call c1',
    });
    expect(code).toBe(0);
  });

  it('fails where an answer is not understood, and says which', async () => {
    const cwd = answers({
      'dial.json': { ticket: 'x' },
      'analytics.json': { status: 'completed', words: 'x' },
    });
    const { code, out, err } = await tryAnswers(cwd);
    expect(code).toBe(1);
    expect(err).toContain('2 of 2 answers not understood: analytics.json, dial.json.');
    expect(out).toMatch(/dial\.json: NOT UNDERSTOOD, .*no call id was found; looked for call_id, /);
    expect(out).toMatch(/unused +- +ticket +"x"/);
  });

  it('names the files it wants when there are none', async () => {
    const cwd = answers({ 'notes.txt': 'x' });
    const { code, err } = await tryAnswers(cwd);
    expect([code, err]).toEqual([2, expect.stringContaining('analytics-done.json')]);
  });
});

const PIN = ['profile', 'pin', 'voice-agent', '--samples', 'answers', '-o', 'exact.yaml'];

describe('profile pin', () => {
  it('keeps the names that answers had, and then takes no others', async () => {
    const cwd = answers({ 'analytics-done.json': DONE, 'dial.json': { call_id: 'c1' } });
    const { code, err } = await callsheet(cwd, ...PIN);
    expect([code, err]).toEqual([0, expect.stringContaining('dial.callId: call_id (of 9)')]);
    expect(err).toContain('analytics.duration: duration_seconds (of');
    expect(err).toContain('no longer looked for: ');
    const text = readFileSync(join(cwd, 'exact.yaml'), 'utf8');
    expect(text).toMatch(/pinned to what 2 answers had/);
    // Its comments and the sections of which no answer speaks are as they were.
    expect(text).toContain('# rejected: refused for good.');
    expect(text).toContain('items: [data, agents, items,');

    const same = await tryAnswers(cwd, './exact.yaml');
    expect(same.code).toBe(0);
    writeFileSync(join(cwd, 'answers', 'dial.json'), '{"id":"c1"}');
    const other = await tryAnswers(cwd, './exact.yaml');
    expect([other.code, other.out]).toEqual([1, expect.stringContaining('looked for call_id;')]);
  });

  it('goes by the analytics of a campaign too', async () => {
    const at = desk();
    at.write('leads.csv', 'phone\n+12125550100\n+12125550101\n');
    const run = ['run', 'leads.csv', '--service', 'simulated'];
    expect((await at.run(run, { clock: hastyClock(20) })).code).toBe(0);
    const pin = ['profile', 'pin', 'voice-agent', '--campaign', 'leads', '-o', '-'];
    const pinned = await at.run(pin);
    expect([pinned.code, pinned.out]).toEqual([0, expect.stringContaining('what 2 answers had')]);
    const { analytics, dial } = loadProfile(pinned.out, 'pinned.yaml');
    expect(analytics.summary.length).toBeLessThan(2);
    expect(analytics.status.at).not.toHaveLength(0);
    // No answer of a dial is kept: that section stays as it was.
    expect(dial.callId).toHaveLength(9);
  });

  it('writes over no file, and pins by something', async () => {
    const cwd = answers({ 'dial.json': { call_id: 'c1' } });
    writeFileSync(join(cwd, 'exact.yaml'), 'mine');
    const nothing = await callsheet(cwd, 'profile', 'pin', 'voice-agent', '-o', 'x.yaml');
    expect(nothing.code).toBe(2);
    expect(nothing.err).toContain('--campaign NAME, --samples DIR');
    const taken = await callsheet(cwd, ...PIN);
    expect([taken.code, readFileSync(join(cwd, 'exact.yaml'), 'utf8')]).toEqual([2, 'mine']);
    expect(existsSync(join(cwd, 'x.yaml'))).toBe(false);
  });
});

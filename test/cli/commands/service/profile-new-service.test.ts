import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answers, callsheet, tryAnswers } from './samples.ts';

const PIN = ['profile', 'pin', './mine.yaml', '--samples', 'answers', '-o', 'exact.yaml'];

describe('a service that nobody has seen', () => {
  it('is described from examples of its answers, until every one is understood', async () => {
    const spoken = {
      ref: 'cv-991',
      state: 'CLOSED',
      opened: '2026-01-05T15:00:00Z',
      closed: '2026-01-05T15:01:10Z',
      how: 'PICKED_UP',
      mood: { word: 'happy', value: 0.7 },
      lines: [
        { by: 'robot', words: 'Hello' },
        { by: 'human', words: 'Hi' },
      ],
    };
    const cwd = answers({
      'agents.json': { payload: { robots: [{ robot_id: 'r1', label: 'Ana' }], more: 'p2' } },
      'dial.json': { payload: { conversation: { ref: 'cv-991', state: 'DIALING' } } },
      'dial-409-full.json': { problem: { kind: 'LINES_FULL' } },
      'analytics-running.json': { payload: { conversation: { ...spoken, state: 'TALKING' } } },
      'analytics-done.json': { payload: { conversation: spoken } },
      'slots.json': { account: { lines: 10, busy: 3 } },
      'webhook-over.form': 'event=over&ref=cv-991\n',
    });
    const first = await tryAnswers(cwd);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(/unused +- +payload\.conversation\.mood\.word +"happy"/);

    writeFileSync(join(cwd, 'mine.yaml'), MINE);
    expect((await callsheet(cwd, 'profile', 'check', './mine.yaml')).code).toBe(0);
    const { code, out } = await tryAnswers(cwd, './mine.yaml');
    expect(code).toBe(0);
    expect(out).toContain('dial.json: placed: call cv-991');
    expect(out).toContain('dial-409-full.json: refused');
    expect(out).toContain('settled: result answered, duration 70 s, sentiment positive');
    expect(out).toContain('1 of 1 have an id; next page: /robots?page=p2');
    expect(out).toContain('slots.json: 7 more calls may be started');
    expect(out).toContain('webhook-over.form: event over: ended, call cv-991');
    expect(out).toMatch(/found +webhooks\.callId +ref +"cv-991"/);

    expect(await callsheet(cwd, ...PIN)).toMatchObject({
      code: 0,
      err: expect.stringContaining('exact.yaml is written') as string,
    });
    const again = await tryAnswers(cwd, './exact.yaml');
    expect(again.code).toBe(0);
  });

  it('keeps in a pinned copy what its list of calls is read for', async () => {
    const listed = { ref: 'cv-991', tel: '+1 212 555 0100', tag: 'key_1', robot: 'r1' };
    const talk = { ...listed, state: 'CLOSED', opened: '2026-01-05T15:00:00Z' };
    const cwd = answers({ 'calls.json': { talks: [talk] } });
    writeFileSync(join(cwd, 'mine.yaml'), MINE + CALLS);

    const tried = await tryAnswers(cwd, './mine.yaml');
    expect(tried.out).toMatch(/found +calls\.phone +tel +"\+1 212 555 0100"/);
    expect(tried.out).toMatch(/found +calls\.attempt +tag +"key_1"/);
    expect(tried.out).toMatch(/found +calls\.agent +robot +"r1"/);
    expect(tried.out).toMatch(/found +calls\.startedAt +opened +"2026-01-05T15:00:00Z"/);
    await callsheet(cwd, ...PIN);

    const exact = readFileSync(join(cwd, 'exact.yaml'), 'utf8');
    expect(exact).toContain(
      '  phone: [tel]\n  attempt: [tag]\n  agent: [robot]\n  startedAt: [opened]\n  analytics: [.]\n',
    );
  });
});

/** A list of calls; of each list of candidates the first is not there. */
const CALLS = `calls:
  method: GET
  path: /talks
  items: [talks]
  callId: [ref]
  phone: [number, tel]
  attempt: [key, tag]
  agent: [agent_id, robot]
  startedAt: [began, opened]
  analytics: [.]
`;

const MINE = `auth: { header: Authorization, prefix: 'Bearer ' }
agents:
  list:
    method: GET
    path: /robots
    items: [payload.robots]
    id: [robot_id]
    name: [label]
    within: [payload]
    next: { values: { more: page } }
dial:
  method: POST
  path: /talks
  body: { number: '{{phone}}', robot: '{{agent}}' }
  callId: [payload.conversation.ref]
  answers: { 401: pause, 422: rejected }
  errors: { at: [problem.kind], words: { lines_full: refused } }
analytics:
  method: GET
  path: /talks/{call_id}
  within: [payload.conversation]
  status: { at: [state], ended: [closed] }
  outcome: { at: [how], words: { picked_up: answered } }
  transcript: { turns: [lines], role: [by], say: [words], agent: [robot], person: [human] }
  duration: { '= time(body.closed) - time(body.opened)': ms }
  sentiment: { at: [mood], label: [word], score: [value], words: { happy: positive } }
slots: { method: GET, path: /account, free: ['= body.account.lines - body.account.busy'] }
webhooks: { type: [event, kind], callId: [ref], events: { over: ended } }
`;

/** Shapes in which services say the same: what the default profile reads of each, or the line that it asks for. */
export interface Shape {
  name: string;
  /** The answer to a look at a call; `origin` is the service's own address. */
  answer: (call: { callId: string; origin: string }) => unknown;
  /** What has to be in the row of the results. */
  right: Record<string, string>;
}

const TALK = 'agent: Hello.\nuser: Hi there.';
const TURNS = [
  { role: 'assistant', content: 'Hello.' },
  { role: 'user', content: 'Hi there.' },
];
const READ_TALK = 'agent: Hello.\nperson: Hi there.';
const DONE = { status: 'completed', duration_seconds: 83, sentiment: 'positive', transcript: TALK };
const DONE_ROW = {
  call_result: 'answered',
  call_duration_seconds: '83',
  call_sentiment: 'positive',
  call_transcript: READ_TALK,
};

/** `DONE` with some fields in another shape, and others left out. */
function shape(
  name: string,
  fields: Record<string, unknown>,
  right: Record<string, string> = {},
): Shape {
  return { name, answer: () => ({ ...DONE, ...fields }), right: { ...DONE_ROW, ...right } };
}

const length = (name: string, fields: Record<string, unknown>, seconds = '83') =>
  shape(
    `length: ${name}`,
    { duration_seconds: undefined, ...fields },
    { call_duration_seconds: seconds },
  );

const mood = (name: string, sentiment: unknown, label: string, score?: string) =>
  shape(
    `sentiment: ${name}`,
    { sentiment },
    { call_sentiment: label, ...(score !== undefined && { call_sentiment_score: score }) },
  );

const moodAt = (name: string, fields: Record<string, unknown>) =>
  shape(`sentiment: ${name}`, { sentiment: undefined, ...fields });

const talk = (name: string, fields: Record<string, unknown>) =>
  shape(`transcript: ${name}`, { transcript: undefined, ...fields });

const flag = (name: string, fields: Record<string, unknown>, result: string, right = {}): Shape =>
  shape(`flag: ${name}`, fields, { call_result: result, ...right });

const BEGAN = Date.UTC(2026, 0, 5, 15, 0, 0);
const ENDED = BEGAN + 83_000;
const iso = (ms: number) => new Date(ms).toISOString();

export const ANSWERS: readonly Shape[] = [
  length('seconds', { duration: 83 }),
  length('seconds as text', { duration: '83' }),
  length('1m 23s', { duration: '1m 23s' }),
  length('1:23', { duration: '1:23' }),
  length('00:01:23', { duration: '00:01:23' }),
  length('PT1M23S', { duration: 'PT1M23S' }),
  length('P0DT0H1M23S', { duration: 'P0DT0H1M23S' }),
  length('83 seconds', { duration: '83 seconds' }),
  length('83secs', { call_duration: '83secs' }),
  length('1 minute and 23 seconds', { duration: '1 minute and 23 seconds' }),
  length('{ value, unit }', { duration: { value: 83, unit: 'seconds' } }),
  length('{ value, unit } in ms', { duration: { value: 83_000, unit: 'ms' } }),
  length('{ amount, units } in minutes', { duration: { amount: 1.5, units: 'min' } }, '90'),
  length('{ minutes, seconds }', { duration: { minutes: 1, seconds: 23 } }),
  length('{ seconds, ms }', { duration: { seconds: 83, ms: 83_000 } }),
  length('{ hours, minutes, seconds }', { duration: { hours: 0, minutes: 1, seconds: 23 } }),
  length('milliseconds as duration', { duration: 83_000 }),
  length('milliseconds as text', { duration: '83000' }),
  length('milliseconds as call_duration', { call_duration: 83_000 }),
  length('83000 ms', { duration: '83000 ms' }),
  length('duration_ms', { duration_ms: 83_000 }),
  length('a list of one', { duration: [83] }),
  length('duration_minutes', { duration_minutes: 1.5 }, '90'),
  length('minutes', { minutes: 1.5 }, '90'),
  length('len in ms', { len: 83_000 }),
  length('len in seconds', { len: 83 }),
  length('talk_time', { talk_time: '1:23' }),
  length('call_length_minutes', { call_length_minutes: 1.5 }, '90'),
  length('elapsed_ms', { stats: { elapsed_ms: 83_000 } }),
  length('billsec', { cdr: { billsec: 83 } }),
  length('starts and ends, ISO', { started_at: iso(BEGAN), ended_at: iso(ENDED) }),
  length('starts and ends, epoch s', { start_time: BEGAN / 1_000, end_time: ENDED / 1_000 }),
  length('starts and ends, epoch ms', { startTimestamp: BEGAN, endTimestamp: ENDED }),
  length('answered and ended', {
    created_at: iso(BEGAN - 20_000),
    answered_at: iso(BEGAN),
    ended_at: iso(ENDED),
  }),
  mood('a word', 'Positive', 'positive'),
  mood('an object', { label: 'positive', score: 0.8 }, 'positive', '0.8'),
  mood('by speaker', { agent: 'neutral', customer: 'positive' }, 'positive'),
  mood('by speaker, objects', { user: { label: 'positive' }, agent: { label: 'x' } }, 'positive'),
  mood('a distribution', { positive: 0.7, neutral: 0.2, negative: 0.1 }, 'positive'),
  mood('a distribution, capitals', { Positive: 0.7, Neutral: 0.2, Mixed: 0.1 }, 'positive'),
  mood('a list of one', ['positive'], 'positive'),
  mood('a list of one object', [{ label: 'positive', score: 0.8 }], 'positive', '0.8'),
  mood(
    'a list by speaker',
    [
      { speaker: 'agent', sentiment: 'neutral' },
      { speaker: 'customer', sentiment: 'positive' },
    ],
    'positive',
  ),
  mood('4/10', '4/10', '', '4'),
  mood('80 %', '80%', '', '80'),
  mood('a word with its score', 'positive (0.8)', 'positive', '0.8'),
  mood('JSON in a text', '{"label":"positive"}', 'positive'),
  moodAt('as mood', { mood: 'positive' }),
  moodAt('as customer_satisfaction', { analysis: { customer_satisfaction: 'positive' } }),
  moodAt('as emotion', { emotions: { label: 'positive' } }),
  shape('transcript: a text', {}),
  talk('turns', { transcript: TURNS }),
  talk('pairs', {
    transcript: [
      ['agent', 'Hello.'],
      ['user', 'Hi there.'],
    ],
  }),
  talk('an object a turn', { transcript: [{ agent: 'Hello.' }, { user: 'Hi there.' }] }),
  talk('question and answer', { transcript: [{ assistant: 'Hello.', user: 'Hi there.' }] }),
  talk('content parts', {
    messages: TURNS.map(({ role, content }) => ({
      role,
      content: [{ type: 'text', text: content }],
    })),
  }),
  talk('parts of a model', {
    messages: TURNS.map(({ role, content }) => ({ role, parts: [{ text: content }] })),
  }),
  talk('JSON in a text', { transcript: JSON.stringify(TURNS) }),
  talk('JSON in a text, in an object', { transcript: JSON.stringify({ turns: TURNS }) }),
  talk('a list of lines', { transcript: TALK.split('\n') }),
  {
    ...talk('one turn', { transcript: [TURNS[1]] }),
    right: { ...DONE_ROW, call_transcript: 'person: Hi there.' },
  },
  talk('as dialogue', { dialogue: TURNS }),
  talk('as script', { script: TALK }),
  talk('turns with other names', {
    transcript: [
      { who: 'agent', words: 'Hello.' },
      { who: 'user', words: 'Hi there.' },
    ],
  }),
  talk('another speaker', { transcript: 'agent: Hello.\nzoe: Hi there.' }),
  {
    name: 'transcript: by its address',
    answer: ({ origin }) => ({
      ...DONE,
      transcript: undefined,
      transcript_url: `${origin}/transcripts/1`,
    }),
    right: DONE_ROW,
  },
  {
    name: 'transcript: an address as the transcript',
    answer: ({ origin }) => ({ ...DONE, transcript: `${origin}/transcripts/1` }),
    right: DONE_ROW,
  },
  {
    name: 'transcript: by its address, another name',
    answer: ({ origin }) => ({
      ...DONE,
      transcript: undefined,
      chat_log: `${origin}/transcripts/1`,
    }),
    right: DONE_ROW,
  },
  flag('voicemail: true', { voicemail: true }, 'voicemail'),
  flag('is_voicemail: true', { analysis: { is_voicemail: true } }, 'voicemail'),
  flag('machine_detected: true', { machine_detected: true }, 'voicemail'),
  flag('answered: false', { answered: false, transcript: '' }, 'no_answer', {
    call_transcript: '',
  }),
  flag('answered: false beside a word', { answered: false, outcome: 'busy' }, 'busy'),
  flag('voicemail: false', { voicemail: false, answered: true }, 'answered'),
  shape('status: a flag', { status: undefined, completed: true }),
  shape('status: another name', { status: undefined, phase: 'done' }),
  shape('status: another flag', { status: undefined, is_over: true }),
  shape('status: none, an end', { status: undefined, ended_at: iso(ENDED) }),
  shape('status: none, another end', { status: undefined, closed_on: iso(ENDED) }),
  shape('status: none at all', { status: undefined }),
  ...(
    [
      ['a list of one', (body) => [body]],
      ['data', (body) => ({ success: true, data: body })],
      ['data, a list of one', (body) => ({ data: [body] })],
      ['result', (body) => ({ result: body })],
      ['data as text', (body) => ({ data: JSON.stringify(body) })],
      ['JSON in a text', (body) => JSON.stringify(JSON.stringify(body))],
      [
        'data.call.analysis',
        (body) => ({ data: { status: 'completed', call: { analysis: body } } }),
      ],
    ] satisfies [string, (body: unknown) => unknown][]
  ).map(([name, wrap]): Shape => ({
    name: `answer in ${name}`,
    answer: () => wrap(DONE),
    right: DONE_ROW,
  })),
];

/** A delivery of the service about a call, and what it has to bring. */
export interface Event {
  name: string;
  body: (callId: string) => unknown;
  /** A captured lead is in the results; otherwise the end of the call is known at once. */
  brings: 'end' | 'lead';
}

const event = (name: string, brings: Event['brings'], body: Event['body']): Event => ({
  name: `event: ${name}`,
  brings,
  body,
});
const typed = (type: string) => event(type, 'end', (id) => ({ type, data: { call_id: id } }));
const LEAD = { email: 'ann@example.com', need: 'roof' };

export const EVENTS: readonly Event[] = [
  ...['call.finished', 'call_finished', 'calls.finished', 'conversation.ended', 'call_done'].map(
    typed,
  ),
  typed('callCompleted'),
  typed('dialog.closed'),
  event('event/data', 'end', (id) => ({ event: 'call.finished', data: { call_id: id } })),
  event('type/payload', 'end', (id) => ({ type: 'call.finished', payload: { callId: id } })),
  event('event_type/call', 'end', (id) => ({ event_type: 'call.finished', call: { id } })),
  event('body as text', 'end', (id) => ({
    event: 'call.finished',
    body: JSON.stringify({ call_id: id }),
  })),
  event('CloudEvents', 'end', (id) => ({
    specversion: '1.0',
    type: 'com.example.call.finished',
    source: '/calls',
    id: `evt-${id}`,
    time: iso(ENDED),
    data: { call_id: id },
  })),
  event('a list of one', 'end', (id) => [{ type: 'call.finished', data: { call_id: id } }]),
  event('another name for the type', 'end', (id) => ({ kind: 'call.finished', call_id: id })),
  event('another name for the call', 'end', (id) => ({ type: 'call.finished', call_ref: id })),
  event('lead.captured', 'lead', (id) => ({
    type: 'lead.captured',
    data: { call_id: id, lead: LEAD },
  })),
  event('new_lead', 'lead', (id) => ({ type: 'new_lead', data: { call_id: id, lead: LEAD } })),
  event('lead.qualified', 'lead', (id) => ({ type: 'lead.qualified', call_id: id, lead: LEAD })),
  event('prospect_found', 'lead', (id) => ({ type: 'contact_found', call_id: id, lead: LEAD })),
  event('a lead with its fields at the top', 'lead', (id) => ({
    type: 'lead.captured',
    call_id: id,
    ...LEAD,
  })),
  event('a lead with its fields beside the call', 'lead', (id) => ({
    type: 'lead.captured',
    data: { call_id: id, ...LEAD },
  })),
];

/** The answer to a dial, and the result that the person has to have. */
export interface Dialled {
  name: string;
  status: number;
  body: (callId: string) => unknown;
  result: string;
}

const dialled = (name: string, body: Dialled['body']): Dialled => ({
  ...{ name: `dial: ${name}`, status: 201, body, result: 'answered' },
});

export const DIALS: readonly Dialled[] = [
  dialled('call_id', (id) => ({ call_id: id })),
  dialled('a list of one', (id) => [{ call_id: id }]),
  dialled('data as text', (id) => ({ data: JSON.stringify({ call_id: id }) })),
  dialled('call_ref', (id) => ({ ok: true, call_ref: id })),
  dialled('in an object', (id) => ({ conversation: { handle: id } })),
  {
    name: 'dial: a refused number',
    status: 422,
    body: () => ({
      error: { code: 'number_not_reachable', message: 'This number cannot be called.' },
    }),
    result: 'rejected',
  },
];

/**
 * What is said in a call. `{agent}` is the agent's name, `{purpose}` what its prompt tells it to do, `{topic}` a
 * subject of its prompt.
 */
export const AGENT = {
  opening: [
    'Hello, this is {agent}. Do you have a moment?',
    'Good day, my name is {agent}. I am an automated assistant. Is this a good time?',
    'Hi, {agent} speaking, an automated voice assistant. May I take a minute of your time?',
  ],
  purpose: [
    'Thank you. {purpose}.',
    'I will be brief. {purpose}.',
    'Let me say why I am calling. {purpose}.',
  ],
  wrapUp: ['So what may I note down?', 'How shall we leave it then?', 'What shall I pass on?'],
  voicemail: [
    'Hello, this is {agent}. {purpose}. I will try again another time. Goodbye.',
    'Hi, {agent} here with a short message about the {topic}. {purpose}. Please call us back when it suits you.',
  ],
} as const;

export const MACHINE_GREETINGS = [
  'You have reached my voicemail. Please leave a message after the tone.',
  'The person you are calling is not available. Please record your message after the beep.',
  'Hi, I cannot come to the phone right now. Leave your name and number and I will call you back.',
] as const;

export const SENTIMENT_LABELS = ['positive', 'neutral', 'negative'] as const;
export type SentimentLabel = (typeof SENTIMENT_LABELS)[number];

/** A question that the agent asks, and the person's answer for each sentiment. */
export type Exchange = { question: string } & Record<SentimentLabel, string>;

export const EXCHANGES: readonly Exchange[] = [
  {
    question: 'May I ask how things stand with the {topic} on your side?',
    positive: 'Very well so far, I am happy with it.',
    neutral: 'As before, I think. I would have to look it up.',
    negative: 'Badly. I have been waiting for weeks and nobody helped me.',
  },
  {
    question: 'Has anything changed about the {topic} lately?',
    positive: 'Yes, for the better. I was going to ask you about it myself.',
    neutral: 'Not that I know of.',
    negative: 'No, it is as much trouble as ever.',
  },
  {
    question: 'Shall I go through the {topic} with you briefly?',
    positive: 'Yes please, that would be great.',
    neutral: 'You could send me that in writing.',
    negative: 'No. I have heard all of that before.',
  },
  {
    question: 'How important is the {topic} to you at the moment?',
    positive: 'Very important, I am glad you mention it.',
    neutral: 'It is one thing among others.',
    negative: 'Not at all, and I do not see why you ask.',
  },
  {
    question: 'Is there anything about the {topic} that is not clear yet?',
    positive: 'No, you explain it very well.',
    neutral: 'I have not looked into it yet.',
    negative: 'What is not clear is why you keep calling about it.',
  },
  {
    question: 'Did our message about the {topic} reach you?',
    positive: 'Yes, thank you, that was helpful.',
    neutral: 'It may have. I get a lot of messages.',
    negative: 'Yes, three times. That was annoying.',
  },
  {
    question: 'Which day would be good to come back to the {topic}?',
    positive: 'Any day this week is fine with me.',
    neutral: 'Some time next month, maybe.',
    negative: 'No day, to be honest.',
  },
  {
    question: 'Is there someone else I should speak to about the {topic}?',
    positive: 'No, you are right with me, and I like the idea.',
    neutral: 'My colleague usually looks after that.',
    negative: 'I am certainly not giving you any names.',
  },
  {
    question: 'What would you change about the {topic} if you could?',
    positive: 'Nothing really, it suits me well.',
    neutral: 'Hard to say. I have no strong opinion.',
    negative: 'Everything. I am really disappointed.',
  },
  {
    question: 'Would it help if a colleague wrote to you about the {topic}?',
    positive: 'That would be wonderful, thank you.',
    neutral: 'You can do that, I will have a look.',
    negative: 'No more letters, please.',
  },
];

export interface Attitude {
  sentiment: SentimentLabel;
  hello: readonly string[];
  /** The person's reaction when the agent has said why it calls. */
  reaction: readonly string[];
  /** The result of the call, in the person's words. */
  verdict: readonly string[];
  /** The agent's last words. */
  closing: readonly string[];
}

export const ATTITUDES = {
  interested: {
    sentiment: 'positive',
    hello: ['Yes, sure, go ahead.', 'Oh hello, good that you call.', 'Hi, yes, I have a minute.'],
    reaction: ['That sounds good to me.', 'Oh yes, good timing.', 'Great, I am all ears.'],
    verdict: [
      'Perfect, let us do it that way. Thank you for calling.',
      'Great, please put me down for it.',
      'I am very happy with that, thank you.',
    ],
    closing: [
      'Excellent, I have noted that. Thank you and have a nice day.',
      'Lovely, you will hear from us about the {topic}. Goodbye.',
    ],
  },
  polite: {
    sentiment: 'neutral',
    hello: ['Yes, hello.', 'Okay, what is it about?', 'Speaking.'],
    reaction: ['I see.', 'All right, go on.', 'Okay. I have not thought about that yet.'],
    verdict: [
      'I will think about it.',
      'Send me the details and I will have a look.',
      'I cannot say yes or no today.',
    ],
    closing: ['Understood. Thank you for your time, goodbye.', 'That is fine. Have a good day.'],
  },
  busy: {
    sentiment: 'neutral',
    hello: ['Yes? I am in the middle of something.', 'Hello, I only have a second.'],
    reaction: ['Can we do this another time?', 'I am driving right now.'],
    verdict: ['Please call me back tomorrow.', 'It is a bad time, try again later.'],
    closing: ['Of course. Goodbye.', 'No problem, another time then.'],
  },
  annoyed: {
    sentiment: 'negative',
    hello: ['What is it now?', 'Who gave you this number?', 'Yes, what?'],
    reaction: ['You people asked me that before.', 'This is a waste of my time.'],
    verdict: ['I am not interested, goodbye.', 'I am really not happy about this call.'],
    closing: ['I am sorry to hear that. Goodbye.', 'I apologise for the disturbance. Goodbye.'],
  },
  optOut: {
    sentiment: 'negative',
    hello: ['Is this a recording?', 'Not another one of these calls.'],
    reaction: ['I do not want these calls.', 'I did not ask for this.'],
    verdict: [
      'Take me off your list and do not call me again.',
      'Stop calling me. Remove my number, please.',
    ],
    closing: ['Understood, we will not call you again. Goodbye.'],
  },
} as const satisfies Record<string, Attitude>;

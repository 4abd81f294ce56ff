/** What an agent can say, as read from its system prompt. */
export interface Brief {
  /** Sentences in which the agent says what it is for, without the full stop; at least one. */
  purposes: string[];
  /** Subjects of the prompt, each to be inserted after "the"; at least one. */
  topics: string[];
}

const LONGEST_PROMPT = 2_000;
const LONGEST_PURPOSE = 140;
const MOST_PURPOSES = 4;
const MOST_TOPICS = 8;

/** Sentences about who the agent is and how it should speak are not said aloud. */
const ABOUT_ITSELF = /^you(?: are|'re)\b/iu;
const ABOUT_STYLE = /^(?:never|always|do not|don't|avoid|be|keep|speak|sound|stay|use|if|when)\b/iu;

/** Reads an agent's purposes, in the prompt's own words, and its topics. */
export function readPrompt(systemPrompt: string): Brief {
  const sentences = systemPrompt
    .slice(0, LONGEST_PROMPT)
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.replace(/\s+/gu, ' ').replace(/^[\s#*-]+|[\s.!?。！？]+$/gu, ''))
    .filter((sentence) => sentence !== '');
  const duties = sentences.filter(
    (sentence) => !ABOUT_ITSELF.test(sentence) && !ABOUT_STYLE.test(sentence),
  );
  const spoken = duties.length > 0 ? duties : sentences;
  if (spoken.length === 0) spoken.push('You would like a short word');
  return {
    purposes: spoken.slice(0, MOST_PURPOSES).map(inFirstPerson),
    topics: topicsOf(spoken.join('. ')),
  };
}

function inFirstPerson(sentence: string): string {
  const cut = sentence.length > LONGEST_PURPOSE ? cutAtWord(sentence) : sentence;
  if (ABOUT_ITSELF.test(cut)) return cut.replace(ABOUT_ITSELF, 'I am');
  if (/^your\b/iu.test(cut)) return cut.replace(/^your/iu, 'My');
  if (/^you\b/iu.test(cut)) return cut.replace(/^you/iu, 'I');
  return `What I am here to do is this: ${lowerFirst(cut)}`;
}

function cutAtWord(sentence: string): string {
  const cut = sentence.slice(0, LONGEST_PURPOSE);
  return cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut;
}

/** Leaves acronyms unchanged. */
function lowerFirst(sentence: string): string {
  return /^\p{Lu}\p{Ll}/u.test(sentence)
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence;
}

const NO_TOPIC = new Set(
  (
    'able about after agent also another answer anything arrange asks assistant been before being brief call ' +
    'called caller calls clear client clients customer customers day days does each ends every expires first ' +
    'from goal have help into just know language lead leads less like long make more most name need next offer ' +
    'other otherwise over person people phone please question questions role sentence short some someone starts ' +
    'still such suits task than that them then there they thing things this time times tone until very want ' +
    'wants were what whether which while will with would'
  ).split(' '),
);

/** One or two words after an article or a possessive, e.g. `service plan` in "their service plan ends". */
const NOUNS =
  /\b(?:the|a|an|their|your|our|his|her|its)\s+(?:(?:\d\S*|new|old|good)\s+)?(\p{L}[\p{L}-]{3,})(?:\s+(\p{L}[\p{L}-]{3,})(?=\s+(\p{L}+)|\P{L}|$))?/giu;

function topicsOf(duties: string): string[] {
  const topics = new Set<string>();
  for (const [, noun = '', second, next] of duties.toLowerCase().matchAll(NOUNS)) {
    if (NO_TOPIC.has(noun)) continue;
    const isPair =
      second !== undefined && !NO_TOPIC.has(second) && (next === undefined || isSmall(next));
    topics.add(isPair ? `${noun} ${second}` : noun);
  }
  return topics.size > 0 ? [...topics].slice(0, MOST_TOPICS) : ['reason for my call'];
}

function isSmall(word: string): boolean {
  return word.length <= 3 || NO_TOPIC.has(word);
}

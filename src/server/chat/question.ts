import { isCapitalised, isNumber, isTelling, type Word, wordsOf } from './words.ts';

/** What a question asks for. */
export type QuestionKind =
  | 'who'
  | 'when'
  | 'where'
  | 'how many'
  | 'why'
  | 'how'
  | 'yes or no'
  | 'definition'
  | 'which'
  | 'open';

export interface Question {
  text: string;
  kind: QuestionKind;
  /** All of its words, folded. */
  tokens: ReadonlySet<string>;
  /** Words that say what it is about, each once: by stem, how much of the question they are. Together 1. */
  weights: ReadonlyMap<string, number>;
  /** Names and numbers in it, each as its words, folded. */
  names: readonly (readonly string[])[];
}

/** The first that fits. */
const kinds: [QuestionKind, RegExp][] = [
  ['how many', /\bhow (many|much|long|old|often|far|tall|big|large|fast|heavy|high|deep)\b/],
  [
    'definition',
    /\b(tell me (more )?about|what (is|are|was|were) .*\babout|defin(e|ition)|meaning of|describe)\b/,
  ],
  [
    'definition',
    /^\W*(so |and |ok(ay)?,? )?(what|who)('s| is| are| was| were) (a |an |the )?[\p{L}\p{N}'’ -]{1,60}\W*$/u,
  ],
  ['when', /\b(when|(what|which|in what|in which) (year|date|day|month|century|decade|time))\b/],
  ['where', /\b(where|(what|which) (country|city|town|place|location|state|continent))\b/],
  ['why', /\b(why|what (caused|causes)|for what reason)\b/],
  ['who', /\b(who|whom|whose|which (actor|actress|director|author|artist|person|painter|writer)s?)\b/],
  ['yes or no', /^\W*(is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/],
  ['which', /\b(which|what)\b/],
  ['how', /\bhow\b/],
];

/** Of a long message: what comes later is no question of its own. */
const kindCharactersMax = 600;

function kindOf(text: string): QuestionKind {
  const lower = text.slice(0, kindCharactersMax).toLowerCase();
  return kinds.find(([, pattern]) => pattern.test(lower))?.[0] ?? 'open';
}

/** Joining words between two words of a name. */
const joinedMax = 2;
/** Of a long question. */
const namesMax = 16;
/** Each of them is looked for in each passage. */
const nameWordsMax = 8;
/** Names and numbers are what a question is about more than other words. */
const nameFactor = 1.5;

/** @param rarity how much a word says, by its stem */
export function readQuestion(text: string, rarity: (stem: string) => number): Question {
  const words = tellingWords(text);
  const [first] = words;
  const weights = new Map<string, number>();
  for (const word of words) {
    const isName = (word !== first && isCapitalised(text, word)) || isNumber(word);
    const weight = rarity(word.stem) * (isName ? nameFactor : 1);
    weights.set(word.stem, Math.max(weights.get(word.stem) ?? 0, weight));
  }
  const sum = [...weights.values()].reduce((total, each) => total + each, 0);
  for (const [stem, weight] of weights) weights.set(stem, sum === 0 ? 0 : weight / sum);
  const tokens = new Set(wordsOf(text).map(({ token }) => token));
  return { text, kind: kindOf(text), tokens, weights, names: namesIn(text) };
}

/** They stand between the words of a name. */
const joining = new Set('of the a an and in on at to for de la von van der'.split(' '));

/** Words with capital letters and numbers that follow one another, but for the first word, which has a capital letter in any case. */
function namesIn(text: string): string[][] {
  const names: string[][] = [];
  let open: string[] = [];
  let between: string[] = [];
  const close = () => {
    if (open.length > 0) names.push(open);
    open = [];
    between = [];
  };
  for (const [i, word] of wordsOf(text).entries()) {
    const isPart = (i > 0 && isCapitalised(text, word)) || isNumber(word);
    if (isPart) {
      if (open.length + between.length >= nameWordsMax) close();
      open = [...open, ...between, word.token];
      between = [];
    } else if (open.length > 0 && between.length < joinedMax && joining.has(word.token)) {
      between.push(word.token);
    } else close();
    if (names.length === namesMax) return names;
  }
  close();
  return names;
}

/** What says what the question is about; all of its words where nothing else does. */
export function tellingWords(text: string): Word[] {
  const words = wordsOf(text);
  const telling = words.filter(isTelling);
  return telling.length > 0 ? telling : words;
}

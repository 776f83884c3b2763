import { type Span, splitSentences } from '#server/indexes/passages/split-sentences.ts';
import type { AnswerSentence, Citation } from '#shared/chat.ts';
import type { Passage } from './passages.ts';
import type { Source } from './retrieve.ts';
import { isCapitalised, isNumber, isTelling, stemsOf, type Word, wordsOf } from './words.ts';

/** How many of a sentence's words a source must have in two sentences that follow one another. */
const supportMin = 0.6;
/** `[1]`, and as some models write it: `[1, 3]`, `[source 1]`. */
const mark = String.raw`\[(?:sources? )?\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]`;
const marks = new RegExp(mark, 'gi');
const marksBefore = new RegExp(String.raw`^\s*(?:${mark}\s*)+`, 'i');
const marksBehind = new RegExp(String.raw`(?:\s*${mark})+$`, 'i');
const negations = new Set(
  'not no never none without nor neither cannot isn aren wasn weren didn doesn don won couldn wouldn hasn haven hadn'.split(
    ' ',
  ),
);

/** Of one sentence. */
const citationsMax = 8;

/** Passages that are read without a pause. */
const readAtOnce = 64;

/**
 * The sentences of what a model has written, each with the places in the sources that say so. A sentence is supported where one of the sources that it
 * cites, or of all where it cites none, has most of its words close together, among them all its names and numbers, and denies what it denies.
 * `turn` is waited for in between.
 */
export async function checkSupport(
  answer: string,
  sources: Source[],
  turn: () => Promise<void>,
): Promise<AnswerSentence[]> {
  const known: Window[][] = [];
  for (const source of sources) known.push(await windowsOf(source, turn));
  const checked: AnswerSentence[] = [];
  for (const { start, end, cited } of sentencesIn(answer)) {
    await turn();
    const numbers = cited.length > 0 ? cited : sources.map((_, i) => i + 1);
    // The numbers of sources are no words of the sentence.
    const text = answer.slice(start, end).replaceAll(marks, (found) => ' '.repeat(found.length));
    const said = wordsOf(text);
    const found: Citation[][] = [];
    for (const number of numbers)
      found.push(await citationsFrom({ text, said }, { number, windows: known[number - 1] ?? [] }, turn));
    // The first that says so is enough where none is named.
    const named = cited.length > 0 ? found.flat() : (found.find(({ length }) => length > 0) ?? []);
    const citations = named.slice(0, citationsMax);
    checked.push({ start, end, supported: citations.length > 0, citations });
  }
  return checked;
}

/** Sentences without their marks, which may stand before their full stop or behind it. */
function sentencesIn(answer: string): (Span & { cited: number[] })[] {
  const sentences: (Span & { cited: number[] })[] = [];
  for (const span of splitSentences(answer)) {
    let { start } = span;
    const leading = marksBefore.exec(answer.slice(start, span.end))?.[0] ?? '';
    sentences.at(-1)?.cited.push(...numbersIn(leading));
    start += leading.length;
    if (start >= span.end) continue;
    const text = answer.slice(start, span.end);
    const trailing = marksBehind.exec(text)?.[0] ?? '';
    sentences.push({ start, end: span.end - trailing.length, cited: numbersIn(text) });
  }
  return sentences;
}

function numbersIn(text: string): number[] {
  const found = text.match(marks)?.join().match(/\d+/g) ?? [];
  return [...new Set(found.map(Number))];
}

/** One or two passages of a source that follow one another. */
interface Window {
  passages: Passage[];
  stems: ReadonlySet<string>;
  denies: boolean;
}

async function windowsOf({ title, passages }: Source, turn: () => Promise<void>): Promise<Window[]> {
  const titleStems = stemsOf(title);
  const windows: Window[] = [];
  let before: { passage: Passage; words: Word[] } | null = null;
  for (const [i, passage] of passages.entries()) {
    if (i % readAtOnce === 0) await turn();
    const words = wordsOf(passage.text);
    windows.push(windowOf([passage], words, titleStems));
    const isNext = passage.kind === 'sentence' && before?.passage.kind === 'sentence';
    if (before && isNext && before.passage.field === passage.field)
      windows.push(windowOf([before.passage, passage], [...before.words, ...words], titleStems));
    before = { passage, words };
  }
  return windows;
}

function windowOf(passages: Passage[], words: Word[], titleStems: ReadonlySet<string>): Window {
  const stems = new Set([...titleStems, ...words.map(({ stem }) => stem)]);
  return { passages, stems, denies: isDenial(words) };
}

/** Words that are looked up without a pause: a sentence may have hundreds, and each source thousands of windows. */
const lookedUpAtOnce = 16_384;

async function citationsFrom(
  { text, said }: { text: string; said: Word[] },
  { number, windows }: { number: number; windows: Window[] },
  turn: () => Promise<void>,
): Promise<Citation[]> {
  const telling = said.filter((word) => isTelling(word) && !isOfDenial(word));
  if (telling.length === 0) return [];
  const must = telling.filter((word, i) => isNumber(word) || (i > 0 && isCapitalised(text, word)));
  const denies = isDenial(said);
  let best: Window | null = null;
  let bestShare = 0;
  let lookedUp = 0;
  for (const window of windows) {
    lookedUp += telling.length;
    if (lookedUp > lookedUpAtOnce) {
      lookedUp = 0;
      await turn();
    }
    if (window.denies !== denies || !must.every(({ stem }) => window.stems.has(stem))) continue;
    const share = telling.filter(({ stem }) => window.stems.has(stem)).length / telling.length;
    if (share < supportMin || share <= bestShare) continue;
    best = window;
    bestShare = share;
  }
  return (best?.passages ?? []).flatMap(({ spans }) => spans.map((span) => ({ source: number, ...span })));
}

/** "doesn't" is two words. */
function isOfDenial({ token }: Word): boolean {
  return negations.has(token) || token === 't';
}

function isDenial(words: Word[]): boolean {
  return words.some(({ token }) => negations.has(token));
}

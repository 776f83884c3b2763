import type { AnswerSentence, ChatModel } from '#shared/chat.ts';

/** Of an answer: words of a sentence or between sentences, and the sources that are named behind them. */
type AnswerPart =
  | { kind: 'words'; start: number; text: string; isSupported: boolean }
  /** `sentence`: the one that they stand behind; null: none that is known. */
  | { kind: 'sources'; start: number; numbers: number[]; sentence: number | null };

interface ToldAnswer {
  text: string;
  model: ChatModel;
  /** Empty while they are not known. */
  sentences: AnswerSentence[];
  /** How many sources there are. */
  sources: number;
}

/** `[1]`, and as some models write it: `[1, 3]`, `[source 1]`; with the blank before it. */
const mark = /\s?\[(?:sources? )?(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]/gi;

interface Mark {
  start: number;
  end: number;
  numbers: number[];
}

/** An answer cut where its sentences begin and end and where it names sources. What stands in brackets within a quotation is the document's own. */
export function answerParts(answer: ToldAnswer): AnswerPart[] {
  const { text, sentences } = answer;
  const marks = marksIn(answer);
  const cuts = new Set([0, text.length]);
  for (const { start, end } of [...sentences, ...marks]) cuts.add(start).add(end);
  const places = [...cuts].filter((place) => place <= text.length).sort((a, b) => a - b);
  return places.slice(0, -1).flatMap((start, i): AnswerPart[] => {
    const found = marks.find((one) => one.start <= start && start < one.end);
    const sentence = sentences.findLastIndex((one) => one.start <= start);
    if (found) {
      if (found.start !== start) return [];
      return [{ kind: 'sources', start, numbers: found.numbers, sentence: sentence < 0 ? null : sentence }];
    }
    const within = sentences[sentence];
    const isSupported = !within || start >= within.end || within.supported;
    return [{ kind: 'words', start, text: text.slice(start, places[i + 1]), isSupported }];
  });
}

function marksIn({ text, model, sentences, sources }: ToldAnswer): Mark[] {
  const isQuoted = (place: number) =>
    model === 'vector-ai' && sentences.some(({ start, end }) => start <= place && place < end);
  return [...text.matchAll(mark)].flatMap((found) => {
    const numbers = (found[1] ?? '').split(/[,;]/).map(Number);
    const isKnown = numbers.every((number) => number >= 1 && number <= sources);
    const { index: start } = found;
    return isKnown && !isQuoted(start) ? [{ start, end: start + found[0].length, numbers }] : [];
  });
}

/** Without a mark that has only begun to come. */
export function withoutBegunMark(text: string): string {
  return text.replace(/\s?\[[^\]]{0,12}$/, '');
}

/** To copy: the words with their marks, and what the marks stand for. */
export function answerAsText(
  text: string,
  sources: { number: number; title: string; id: string; collection: { name: string } }[],
): string {
  const lines = sources.map(
    ({ number, title, id, collection }) => `[${number}] ${title} (${collection.name}, ${id})`,
  );
  return [text, lines.join('\n')].filter((part) => part !== '').join('\n\n');
}

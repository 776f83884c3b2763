import type { FieldMark } from '#client/components/document/field-marks.ts';
import type { AssistantMessage } from '#shared/chat.ts';
import type { OpenSource } from './ask-state.ts';

/** What an answer, or one sentence of it, has of one of its sources. */
export function citedBy(
  { sentences }: Pick<AssistantMessage, 'sentences'>,
  { number, sentence }: Pick<OpenSource, 'number' | 'sentence'>,
): FieldMark[] {
  const ofSentence = sentence === null ? [] : (sentences[sentence]?.citations ?? []);
  const own = ofSentence.filter(({ source }) => source === number);
  // A model may name a source that does not say so: then all that the answer has of it.
  const all = sentences.flatMap(({ citations }) => citations.filter(({ source }) => source === number));
  return own.length > 0 ? own : all;
}

import { AppError } from '#server/errors.ts';
import type { AnswerSentence } from '#shared/chat.ts';
import { checkSupport } from '../check-support.ts';
import type { ModelProvider } from './model-providers.ts';
import { streamModel } from './stream-model.ts';
import { type AskedOfModel, nothingWord, writePrompt } from './write-prompt.ts';

interface Hearing {
  signal: AbortSignal;
  /** Waited for where there is much to compute. */
  turn: () => Promise<void>;
  tellText: (text: string) => void;
  /** Before the first text is told. */
  onFirst: () => void;
}

/** @param asked with what is said where the model finds nothing in the sources. @throws AppError UNAVAILABLE, UNPROCESSABLE; the signal's reason */
export async function writeByModel(
  provider: ModelProvider,
  { nothing, ...asked }: AskedOfModel & { nothing: string },
  { signal, turn, tellText, onFirst }: Hearing,
): Promise<{ answer: string; answered: boolean; sentences: AnswerSentence[] }> {
  let answer = '';
  let told = 0;
  const tellRest = () => {
    if (told === 0) onFirst();
    tellText(answer.slice(told));
    told = answer.length;
  };
  for await (const text of streamModel(provider, { prompt: writePrompt(asked), signal })) {
    answer += text.replaceAll('\u0000', '');
    // What may become the word that stands for nothing is not shown.
    if (!mayBeNothing(answer) && answer.length > told) tellRest();
  }
  if (answer.trim() === '')
    throw new AppError('UNAVAILABLE', `The model "${provider.name}" answered nothing; try again later`);
  const answered = !mayBeNothing(answer);
  if (!answered) answer = nothing;
  if (told < answer.length) tellRest();
  const whole = answer.toWellFormed();
  return {
    answer: whole,
    answered,
    sentences: answered ? await checkSupport(whole, asked.sources, turn) : [],
  };
}

function mayBeNothing(answer: string): boolean {
  const begun = answer.trimStart();
  return nothingWord.startsWith(begun) || begun.startsWith(nothingWord);
}

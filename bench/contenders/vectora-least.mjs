/** The engine with no more than its peers are asked for: ids without highlights, typos and the unfinished word only where the question is about them. */
import { searched, searchFor } from './vectora.mjs';

export { load } from './vectora.mjs';

export function ask(text, kind) {
  const typosMax = kind === 'one typo' ? 2 : 0;
  return searched(
    searchFor({ text, typosMax, prefix: kind === 'as you type', wordBreaks: 'off', highlightFields: [] }),
  );
}

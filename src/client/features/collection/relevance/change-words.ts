import type { MeasuredChange } from '#shared/judgements.ts';

const nouns: Record<string, string> = { searchSettings: 'search settings' };

/** What was changed, in words: "2 changes to synonyms, 1 to overrides"; empty: nothing was. */
export function changeWords(changes: readonly MeasuredChange[]): string {
  const byNoun = new Map<string, number>();
  for (const { action, times } of changes) {
    const [name = action] = action.split('.');
    const noun = nouns[name] ?? name;
    byNoun.set(noun, (byNoun.get(noun) ?? 0) + times);
  }
  return [...byNoun]
    .sort(([, a], [, b]) => b - a)
    .map(([noun, times], i) => {
      const count = i === 0 ? `${times} ${times === 1 ? 'change' : 'changes'}` : times;
      return `${count} to ${noun}`;
    })
    .join(', ');
}

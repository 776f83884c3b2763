/** What people do to words while typing. */
import type { RandomNumbers } from '#server/random-numbers.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** One Damerau edit, never of the first letter, that changes the word. @param word two letters at least */
export function misspelt(word: string, random: RandomNumbers): string {
  for (;;) {
    const edited = edit([...word], random).join('');
    if (edited !== word) return edited;
  }
}

function edit(word: string[], random: RandomNumbers): string[] {
  const place = random.between(1, word.length - 1);
  const kind = random.pick(['drop', 'insert', 'replace', 'swap'] as const);
  if (kind === 'drop') return word.toSpliced(place, 1);
  if (kind === 'replace') return word.with(place, random.pick([...letters]));
  if (kind === 'insert') return word.toSpliced(random.between(1, word.length), 0, random.pick([...letters]));
  if (place + 1 >= word.length) return word;
  return word.with(place, word[place + 1] ?? '').with(place + 1, word[place] ?? '');
}

/** Cut to three letters or more, but not whole. @param word four letters at least */
export function cutShort(word: string, random: RandomNumbers): string {
  const all = [...word];
  return all.slice(0, random.between(3, all.length - 1)).join('');
}

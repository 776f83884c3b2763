import { Bitset } from '../../bits/bitset.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { ordinalOf } from '../../lexical/postings.ts';

/**
 * Documents whose field may hold all the words, the last as a beginning where `isPrefix`, from the inverted index: it knows words by their stem and
 * a list's elements as one text, so there may be more than there should, never fewer; dead documents may be among them. Null: no text
 * was ever met in the field.
 */
export function wordCandidates(
  lexical: LexicalIndex,
  path: string,
  { words, isPrefix }: { words: string[]; isPrefix: boolean },
): Bitset | null {
  const field = lexical.fieldNumber(path);
  if (field < 0) return null;
  const { dictionary } = lexical;
  return words
    .map((word, i) => {
      const isLast = i === words.length - 1;
      if (!isPrefix || !isLast) return documentsWith(lexical, field, [dictionary.termForQuery(word)]);
      const terms = new Set(dictionary.wordsFrom(word).map((longer) => dictionary.termOf(longer)));
      return documentsWith(lexical, field, terms);
    })
    .reduce((all, one) => all.and(one));
}

function documentsWith({ postings }: LexicalIndex, field: number, terms: Iterable<number>): Bitset {
  const documents = new Bitset(0);
  for (const term of terms) {
    let list = term < 0 ? -1 : postings.listOf(term);
    for (; list >= 0; list = postings.nextList(list)) {
      if (postings.fieldOf(list) !== field) continue;
      for (const posting of postings.read(list)) documents.add(ordinalOf(posting));
    }
  }
  return documents;
}

/** Lucene's 33 English stop words: too common to tell documents apart. They are indexed, but a query uses them only if it has nothing else. */
const words =
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with';

export const stopWords: ReadonlySet<string> = new Set(words.split(' '));

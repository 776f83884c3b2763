/** Lucene's 33 English stop words: too common to tell documents apart. They are indexed, but a query uses them only if it has nothing else. */
const words =
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with';

export const stopWords: ReadonlySet<string> = new Set(words.split(' '));

/**
 * The Snowball project's English stop words that are not among Lucene's. A film may be called "What About Us", so they are words like others in a short
 * query; in a longer one, of which they are a third, they would decide what is found: what they say is nearly always the question's form.
 */
const formWords =
  'about above after again against all am any because been before being below between both can cannot could did do does doing down during each few from further had has have having he her here hers herself him himself his how i its itself just may me might more most must my myself nor off once only other ought our ours ourselves out over own same shall she should so some than theirs them themselves those through too under until up upon us very was we were what when where which while who whom whose why would you your yours yourself yourselves';

export const faintWords: ReadonlySet<string> = new Set(
  formWords.split(' ').filter((word) => !stopWords.has(word)),
);

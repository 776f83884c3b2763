/**
 * How often the language of a collection is named rightly, by how many words of it are read: texts are drawn from files of sentences, one a line, a file a
 * language, named by its code (`de.txt`).
 *
 *   node scripts/measure-languages.mjs <folder> [--draws 100] [--words 60,100,200,600]
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadSources } from './load-sources.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    draws: { type: 'string', default: '100' },
    words: { type: 'string', default: '60,100,200,600' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('say in which folder the sentences are');
const { LanguageCount, analyzerOf } = await loadSources(`
  export { LanguageCount } from './src/server/indexes/language/language-count.ts';
  export { analyzerOf } from './src/server/indexes/language/analyzer-of.ts';
`);
/** Has stems and stop words here. */
const isKnown = (code) => !analyzerOf(code).name.startsWith('plain');
/** Both written languages of Norway are read by the same rules. */
const readAs = (code) => (code === 'nb' || code === 'nn' ? 'no' : code);

let seed = 1;
function random(below) {
  seed = (seed * 48_271) % 2_147_483_647;
  return Math.floor((seed / 2_147_483_647) * below);
}

const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
for (const wordsMax of values.words.split(',').map(Number)) {
  const sums = { known: [0, 0, 0], others: [0, 0, 0] };
  const odd = [];
  for (const file of files) {
    const code = readAs(path.basename(file, '.txt'));
    const sentences = readFileSync(path.join(folder, file), 'utf8').trim().split('\n');
    const counts = [0, 0, 0];
    for (let draw = 0; draw < Number(values.draws); draw += 1) {
      const count = new LanguageCount();
      for (let words = 0; words < wordsMax; ) {
        const sentence = sentences[random(sentences.length)];
        words += sentence.split(/\s+/).length;
        count.add(sentence);
      }
      const named = count.language();
      counts[named === code ? 0 : named === null ? 2 : 1] += 1;
    }
    const sum = isKnown(code) ? sums.known : sums.others;
    for (const at of counts.keys()) sum[at] += counts[at];
    if (counts[1] > 0 || (isKnown(code) && counts[2] * 10 > Number(values.draws)))
      odd.push(`${code} ${counts.join('/')}`);
  }
  console.log(
    `${wordsMax} words, right/wrong/unsure: known ${sums.known.join('/')}, others ${sums.others.join('/')}; ${odd.join(', ')}`,
  );
}

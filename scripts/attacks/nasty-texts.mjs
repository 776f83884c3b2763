/**
 * Texts that are hard on whoever normalises, folds, cuts or marks them, as large as a document may be: written, filtered by, searched for and highlighted
 * over HTTP. Each is answered soon, and another tenant hardly waits. Collections in Arabic and in Turkish, which are folded in ways of their own, get those
 * that are about letters and marks. `scripts/measure-text.mjs` has the costs a character.
 *
 *   node scripts/attacks/nasty-texts.mjs [characters of a document]
 */
import { setTimeout as pause } from 'node:timers/promises';
import { loadSources } from '../load-sources.mjs';
import { createBystander, judgeSlowest, searchesBeside } from './bystander.mjs';
import { withTarget } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const [characters = 900_000] = process.argv.slice(2).map(Number);
const queryCharacters = 4_000;
const answeredMs = 20_000;
const besideMs = 1_000;
const beforeMs = 500;
const ofLetters = /marks|word|accent|folded|joiners|Latn|Arab|Unicode/;
/** By the language of a collection, which kinds of text. */
const languages = { en: /./, ar: ofLetters, tr: ofLetters };
const { nastyTexts } = await loadSources(
  `export { nastyTexts } from './src/server/engine/testing/nasty-texts.ts';`,
);

await withTarget(async (target) => {
  const bystander = await createBystander(target);
  for (const [language, kinds] of Object.entries(languages)) {
    const path = `/api/collections/${language}`;
    await target.createCollection(language, 384);
    const set = await target.send('PUT', `${path}/settings`, { language });
    if (set.status !== 200) throw new Error(`the language ${language}: ${set.status} ${set.text}`);
    for (const [kind, textOf] of Object.entries(nastyTexts)) {
      if (kinds.test(kind)) await attack(`${language}, ${kind}`, path, textOf);
    }
  }

  async function attack(name, path, textOf) {
    const text = textOf(characters).toWellFormed().replaceAll('\0', '');
    const query = textOf(queryCharacters).toWellFormed().replaceAll('\0', '');
    const search = (given) => target.send('POST', `${path}/search`, given);
    const work = async () => [
      await target.send('POST', `${path}/documents?action=upsert`, { id: 'one', title: 'fox', text }),
      await search({ query: '*', filter_by: 'text:=a' }),
      await search({ query: '*', filter_by: 'text:fox foxes' }),
      await search({ query: 'fox' }),
      await search({ query }),
      await target.send('POST', '/api/multi-search', {
        searches: Array.from({ length: 50 }, () => ({
          collection: path.split('/').at(-1),
          query,
          mode: 'hybrid',
        })),
      }),
    ];
    // Kinds are many, and what another tenant may wait does not hang on what it waits alone, unless that is long.
    const searches = await searchesBeside(bystander, work, () => pause(beforeMs));
    const codes = searches.result.map(({ status }) => status);
    judge(`${name}: the answers`, {
      expected: 'none of 500',
      found: tally(codes),
      isFine: !codes.includes(500),
    });
    const slowestMs = Math.max(...searches.result.map(({ tookMs }) => tookMs));
    judgeAtMost(`${name}: the slowest answer`, answeredMs, slowestMs, 'ms');
    judgeSlowest(name, searches, besideMs);
  }
});

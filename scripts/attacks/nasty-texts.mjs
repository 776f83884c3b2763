/**
 * Texts that are hard on whoever normalises, folds, cuts or marks them, as large as a document may be: written, filtered by, searched for and highlighted
 * over HTTP. Each is answered soon, and another tenant hardly waits. `scripts/measure-text.mjs` has the costs a character.
 *
 *   node scripts/attacks/nasty-texts.mjs [characters of a document]
 */
import { loadSources } from '../load-sources.mjs';
import { createBystander, mostBeside, searchesBeside } from './bystander.mjs';
import { withTarget } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const [characters = 900_000] = process.argv.slice(2).map(Number);
const queryCharacters = 4_000;
const answeredMs = 20_000;
const besideMs = 1_000;
const { nastyTexts } = await loadSources(
  `export { nastyTexts } from './src/server/engine/testing/nasty-texts.ts';`,
);

await withTarget(async (target) => {
  await target.createCollection('texts', 384);
  const bystander = await createBystander(target);
  const search = (given) => target.send('POST', '/api/collections/texts/search', given);
  for (const [kind, textOf] of Object.entries(nastyTexts)) {
    const text = textOf(characters).toWellFormed().replaceAll('\0', '');
    const query = textOf(queryCharacters).toWellFormed().replaceAll('\0', '');
    const { result, slowestMs, statuses } = await searchesBeside(bystander, async () => [
      await target.send('POST', '/api/collections/texts/documents?action=upsert', {
        id: 'one',
        title: 'fox',
        text,
      }),
      await search({ query: '*', filter_by: 'text:=a' }),
      await search({ query: '*', filter_by: 'text:fox foxes' }),
      await search({ query: 'fox' }),
      await search({ query }),
      await target.send('POST', '/api/multi-search', {
        searches: Array.from({ length: 50 }, () => ({ collection: 'texts', query, mode: 'hybrid' })),
      }),
    ]);
    const codes = result.map(({ status }) => status);
    judge(`${kind}: the answers`, {
      expected: 'none of 500',
      found: tally(codes),
      isFine: !codes.includes(500),
    });
    judgeAtMost(
      `${kind}: the slowest answer`,
      answeredMs,
      Math.max(...result.map(({ tookMs }) => tookMs)),
      'ms',
    );
    judgeAtMost(`${kind}: another tenant’s search`, mostBeside(bystander, besideMs), slowestMs(), 'ms');
    const refused = statuses.filter((status) => status !== 200);
    judge(`${kind}: another tenant`, {
      expected: '200 always',
      found: tally(statuses),
      isFine: refused.length === 0,
    });
  }
});

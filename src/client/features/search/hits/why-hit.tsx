import { Text } from '@mantine/core';
import { fieldLabel } from '#client/lib/field-label.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { HitExplanation } from '#shared/explain.ts';
import type { MergedSearchHit } from '#shared/search.ts';
import classes from './why-hit.module.css';

interface WhyHitProps {
  hit: Pick<MergedSearchHit, 'score' | 'relevance' | 'explain' | 'passage'>;
  /** Why it stands below the one above; null: it is the first, or there is nothing to say. */
  below: string | null;
  /** The one nearest in meaning; null: it is not known. */
  sentence: string | null;
}

/** The sum that a score is, line by line. */
export function WhyHit({ hit: { score, relevance, explain, passage }, below, sentence }: WhyHitProps) {
  if (!explain) return null;
  return (
    <section aria-label="What the score is made of" className={classes['root']}>
      {below && <Text size="sm">{below}</Text>}
      {sentence !== null && (
        <Text size="sm" dir="auto">
          Nearest in meaning: “{sentence}”
        </Text>
      )}
      <table className={classes['sum']}>
        <tbody>
          {explain.keyword && <WordRows keyword={explain.keyword} />}
          {explain.vector && (
            <tr>
              <th scope="row">Similarity of meaning</th>
              <td>
                {explain.vector.neighbour ? 'one of the nearest' : 'compared, though not one of the nearest'}
                {passage &&
                  `, by its passage in ${fieldLabel(passage.field)} from character ${formatNumber(passage.start + 1)} to ${formatNumber(passage.end)}`}
              </td>
              <td>{explain.vector.similarity.toFixed(3)}</td>
            </tr>
          )}
          <PartRows explain={explain} />
          <tr className={classes['total']}>
            <th scope="row">Score</th>
            <td />
            <td>{score.toFixed(3)}</td>
          </tr>
          {relevance !== undefined && (
            <tr>
              <th scope="row">Relevance</th>
              <td>by what is judged in this collection</td>
              <td>{relevance.toFixed(2)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

const placesMax = 3;

function WordRows({ keyword }: { keyword: NonNullable<HitExplanation['keyword']> }) {
  return (
    <>
      {keyword.words.map(({ word, matches, weight, saturation, score }) => {
        const places = matches.slice(0, placesMax).map(({ field, as, forms }) => {
          const form = as === 'word' ? '' : ` as ${as} “${forms[0] ?? ''}”`;
          return `${field === null ? 'other fields' : fieldLabel(field)}${form}`;
        });
        return (
          <tr key={word}>
            <th scope="row">“{word}”</th>
            <td>
              in {[...new Set(places)].join(', ')}: rarity {weight.toFixed(2)} × frequency{' '}
              {saturation.toFixed(2)}
            </td>
            <td>{score.toFixed(3)}</td>
          </tr>
        );
      })}
      {keyword.whole_title !== undefined && (
        <tr>
          <th scope="row">Whole title</th>
          <td>its title has these words and no others</td>
          <td>{keyword.whole_title.toFixed(3)}</td>
        </tr>
      )}
      {keyword.missing.length > 0 && (
        <tr>
          <th scope="row">Not in it</th>
          <td>{keyword.missing.map((word) => `“${word}”`).join(', ')}</td>
          <td>0</td>
        </tr>
      )}
    </>
  );
}

/** The parts that add up to the score, where there are several. */
function PartRows({ explain: { parts, fusion } }: { explain: HitExplanation }) {
  if (!fusion) return null;
  const { alpha, method, keyword, vector, neighbours } = fusion;
  const rest = 1 - (neighbours?.weight ?? 0);
  const lifted = neighbours === undefined ? 0 : neighbours.weight * neighbours.value;
  const how = (value: number, share: number) =>
    method === 'weighted'
      ? `${value.toFixed(3)} of 1, times ${share.toFixed(2)}`
      : `from its rank, times ${share.toFixed(2)}`;
  return (
    <>
      <tr className={classes['part']} data-side="words">
        <th scope="row">Words</th>
        <td>{how(keyword.value, rest * (1 - alpha))}</td>
        <td>{(parts.keyword ?? 0).toFixed(3)}</td>
      </tr>
      <tr className={classes['part']} data-side="meaning">
        <th scope="row">Meaning</th>
        <td>{how(vector.value, rest * alpha)}</td>
        <td>{((parts.vector ?? 0) - lifted).toFixed(3)}</td>
      </tr>
      {neighbours && (
        <tr className={classes['part']} data-side="meaning">
          <th scope="row">Good hits near to it</th>
          <td>{how(neighbours.value, neighbours.weight)}</td>
          <td>{lifted.toFixed(3)}</td>
        </tr>
      )}
    </>
  );
}

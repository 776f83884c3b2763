import { Drawer, Skeleton, Stack, Text } from '@mantine/core';
import { useLast } from '#client/lib/use-last.ts';
import type { ComparedHits, ComparedQuery } from '#shared/comparisons.ts';
import { gradeNames } from '../../relevance/grade-names.ts';
import { useTitles } from '../overrides/use-titles.ts';
import { PreviewLists } from '../preview/preview-lists.tsx';
import classes from './compare-panel.module.css';
import { differenceWords, kindNames } from './kind-words.ts';

interface ComparedListsProps {
  collection: number;
  /** Null: closed. */
  compared: ComparedQuery | null;
  onClose: () => void;
}

/** Both lists of ten of one query, with the grades of what is judged. */
export function ComparedLists({ collection, compared, onClose }: ComparedListsProps) {
  const shown = useLast(compared);
  return (
    <Drawer.Root opened={compared !== null} onClose={onClose} position="right" size="52rem" padding="lg">
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title dir="auto" className={classes['title'] ?? ''}>
            “{shown?.query}”
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body>{shown && <Content collection={collection} compared={shown} />}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

const three = (share: number) => share.toFixed(3);

function Content({ collection, compared }: { collection: number; compared: ComparedQuery }) {
  const { kind, before, after, judged } = compared;
  const elsewhere = judged.filter((each) => each.before === null && each.after === null && each.grade > 0);
  const ids = new Set([...before.hits, ...after.hits, ...elsewhere.map(({ document }) => document)]);
  const { titles, isKnown } = useTitles(collection, [...ids]);
  const grades = new Map(judged.map(({ document, grade }) => [document, gradeNames[grade]]));
  const toHits = ({ hits }: ComparedHits) => ({
    hits: hits.map((id) => ({
      id,
      title: titles.get(id) ?? id,
      score: null,
      isPinned: false,
      note: grades.get(id),
    })),
  });
  if (ids.size > 0 && !isKnown && titles.size === 0) return <Skeleton height={320} />;
  return (
    <Stack gap="xs" className={classes['lists'] ?? ''}>
      <Text size="sm" c="dimmed">
        {kindNames[kind]}: nDCG@10 {three(before.ndcg)} → {three(after.ndcg)},{' '}
        {differenceWords(before.ndcg, after.ndcg, three)}
      </Text>
      <Fault when="Before" error={before.error} />
      <Fault when="After" error={after.error} />
      <PreviewLists before={toHits(before)} after={toHits(after)} actions={undefined} isFetching={false} />
      {elsewhere.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="sm">
            Relevant, and in neither list
          </Text>
          <ul className={classes['elsewhere']}>
            {elsewhere.slice(0, 20).map(({ document, grade }) => (
              <li key={document}>
                <span dir="auto">{titles.get(document) ?? document}</span>: {gradeNames[grade]}
              </li>
            ))}
            {elsewhere.length > 20 && <li>and {elsewhere.length - 20} more</li>}
          </ul>
        </>
      )}
    </Stack>
  );
}

function Fault({ when, error }: { when: string; error: string | null }) {
  if (error === null) return null;
  return (
    <Text size="sm" c="red">
      {when}: {error}
    </Text>
  );
}

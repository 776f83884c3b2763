import { NativeSelect, Text } from '@mantine/core';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import { gradeNames } from './grade-names.ts';
import classes from './grade-row.module.css';
import type { Candidate } from './use-candidates.ts';

const notJudged = '';

interface GradeRowProps {
  at: { collection: number; query: string };
  candidate: Candidate;
}

/** A document and its grade; who may judge chooses it. */
export function GradeRow({ at, candidate }: GradeRowProps) {
  const { id, title, rank, grade, by } = candidate;
  const may = useMay();
  return (
    <li className={classes['row']}>
      <span
        className={classes['rank']}
        title={rank === null ? 'Not among the first ten hits' : `Hit ${rank}`}
      >
        {rank ?? '–'}
      </span>
      <div className={classes['document']}>
        <Text size="sm" dir="auto" className={classes['name'] ?? ''}>
          {title ?? id}
        </Text>
        <Text size="xs" c="dimmed" className={classes['name'] ?? ''}>
          {title === null ? 'There is no such document' : id}
        </Text>
        {by !== null && (
          <Text size="xs" c="dimmed" dir="auto" className={classes['name'] ?? ''}>
            Judged by {by}
          </Text>
        )}
      </div>
      {may('editor') ? (
        <GradeChoice at={at} candidate={candidate} />
      ) : (
        <Text size="sm" c="dimmed">
          {grade === null ? 'Not judged' : gradeNames[grade]}
        </Text>
      )}
    </li>
  );
}

/** Kept as soon as it is chosen. */
function GradeChoice({ at, candidate: { id, title, grade } }: GradeRowProps) {
  const meta = { changes: 'judgements' } as const;
  const onError = (error: unknown) =>
    toast({ title: 'The judgement was not kept', description: errorMessage(error), kind: 'error' });
  const put = trpc.judgements.put.useMutation({ meta, onError });
  const remove = trpc.judgements.delete.useMutation({ meta, onError });
  const kept = grade === null ? notJudged : String(grade);
  const sent = put.isPending ? String(put.variables.grade) : kept;
  const choose = (value: string) => {
    if (value === notJudged) remove.mutate({ ...at, document: id });
    else put.mutate({ ...at, document: id, grade: Number(value) });
  };
  return (
    <NativeSelect
      size="xs"
      className={classes['grade'] ?? ''}
      aria-label={`Grade of ${title ?? id}`}
      value={remove.isPending ? notJudged : sent}
      disabled={put.isPending || remove.isPending}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        { value: notJudged, label: 'Not judged' },
        ...gradeNames.map((label, value) => ({ value: String(value), label })),
      ]}
    />
  );
}

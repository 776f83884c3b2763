import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { grades } from '#shared/judged-query.ts';

interface VotedHit {
  collection: number;
  query: string;
  id: string;
}

/** How a hit is judged for a query. What is sent is shown at once; what the server refuses is said, and shown as it is. */
export function useVote({ collection, query, id }: VotedHit, onSaid: (text: string) => void) {
  const { data, isError, refetch } = trpc.judgements.list.useQuery({ collection, query });
  const meta = { changes: 'judgements' } as const;
  const onError = (error: unknown) =>
    toast({ title: 'The judgement was not kept', description: errorMessage(error), kind: 'error' });
  const put = trpc.judgements.put.useMutation({
    meta,
    onError,
    onSuccess: ({ grade }) => onSaid(grade > grades.notRelevant ? 'Judged relevant' : 'Judged not relevant'),
  });
  const remove = trpc.judgements.delete.useMutation({
    meta,
    onError,
    onSuccess: () => onSaid('Judgement taken back'),
  });
  const kept = data?.judgements.find(({ document }) => document === id)?.grade;
  // They are pending until the list has been read again.
  const sent = put.isPending ? put.variables.grade : kept;
  return {
    /** Undefined: it is not judged. */
    grade: remove.isPending ? undefined : sent,
    isKnown: data !== undefined && !put.isPending && !remove.isPending,
    /** What is judged could not be loaded; null: it could. */
    retry: isError ? () => void refetch() : null,
    /** Null: the judgement is taken back. */
    vote: (grade: number | null) =>
      grade === null
        ? remove.mutate({ collection, query, document: id })
        : put.mutate({ collection, query, document: id, grade }),
  };
}

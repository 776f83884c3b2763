import { Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { ButtonLink } from '#client/components/display/links.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import type { Judgement } from '#shared/judgements.ts';
import type { SearchMode } from '#shared/search.ts';
import { DocumentForm } from './document-form.tsx';
import { GradeRow } from './grade-row.tsx';
import classes from './judge-panel.module.css';
import { useCandidates } from './use-candidates.ts';

interface JudgePanelProps {
  collection: number;
  /** The one in the address; null: the panel is closed. */
  query: string | null;
  mode: SearchMode;
  onClose: () => void;
}

/** The first hits of a query, and what else is judged for it: each with its grade. */
export function JudgePanel({ collection, query, mode, onClose }: JudgePanelProps) {
  const shown = useLast(query);
  const may = useMay();
  return (
    <Drawer.Root opened={query !== null} onClose={onClose} position="right" size="36rem" padding="lg">
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title dir="auto" className={classes['title'] ?? ''}>
            {may('editor') ? 'Judge' : 'Judgements of'} “{shown}”
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body>
          {shown !== null && <Content key={shown} {...{ collection, mode, onClose }} query={shown} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

type ContentProps = Omit<JudgePanelProps, 'query'> & { query: string };

function Content({ collection, query, mode, onClose }: ContentProps) {
  const may = useMay();
  const { candidates, judged, error, retry } = useCandidates({ collection, query, mode });
  if (error) return <ErrorView error={error} title="The hits could not be loaded" onRetry={retry} />;
  if (!candidates || !judged) return <Skeleton height={240} />;
  const at = { collection, query };
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {may('editor')
          ? 'How well does each document answer the query? What nobody has judged counts as not relevant.'
          : 'How well each document answers the query. What nobody has judged counts as not relevant.'}
      </Text>
      {candidates.length === 0 && (
        <Text size="sm">
          The query finds nothing.{may('editor') && ' Name documents that it should find.'}
        </Text>
      )}
      <ol aria-label="Documents to judge" className={classes['list']}>
        {candidates.map((candidate) => (
          <GradeRow key={candidate.id} at={at} candidate={candidate} />
        ))}
      </ol>
      {may('editor') && <DocumentForm at={at} />}
      <Group justify="space-between">
        <ButtonLink to="/search" search={{ collection, q: query, mode }} variant="default" size="xs">
          Open in search
        </ButtonLink>
        {judged.length > 0 && may('editor') && <RemoveQuery at={at} judged={judged} onRemoved={onClose} />}
      </Group>
    </Stack>
  );
}

interface RemoveQueryProps {
  at: { collection: number; query: string };
  judged: Judgement[];
  onRemoved: () => void;
}

function RemoveQuery({ at, judged, onRemoved }: RemoveQueryProps) {
  const { client } = trpc.useUtils();
  const put = trpc.judgements.put.useMutation({ meta: { changes: 'judgements' } });
  const undo = async () => {
    try {
      const [last, ...others] = judged.map(({ document, grade }) => ({ ...at, document, grade }));
      for (const other of others) await client.judgements.put.mutate(other);
      if (last) await put.mutateAsync(last);
    } catch (error) {
      toast({ title: 'The judgements are not all back', description: errorMessage(error), kind: 'error' });
    }
  };
  const remove = trpc.judgements.delete.useMutation({
    meta: { changes: 'judgements' },
    onSuccess: ({ deleted }) => {
      onRemoved();
      toast({
        title: `${deleted} ${deleted === 1 ? 'judgement' : 'judgements'} removed`,
        description: at.query,
        action: { label: 'Undo', altText: 'Judge the query as before', onClick: () => void undo() },
      });
    },
    onError: (error) =>
      toast({ title: 'The judgements were not removed', description: errorMessage(error), kind: 'error' }),
  });
  return (
    <Button
      variant="subtle"
      color="red"
      size="xs"
      loading={remove.isPending}
      onClick={() => remove.mutate(at)}
    >
      Remove all judgements of this query
    </Button>
  );
}

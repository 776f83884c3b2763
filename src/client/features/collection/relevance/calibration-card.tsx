import { Alert, Button, Checkbox, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatAgo, formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import type { Calibration, StaleReason } from '#shared/calibrations.ts';
import type { SearchMode } from '#shared/search.ts';
import classes from './measure-figures.module.css';
import { modeNames } from './mode-names.ts';

interface CalibrationCardProps {
  collection: number;
  /** Of the searches that it is about. */
  mode: SearchMode;
}

/** Whether hits of such searches tell how likely they are relevant, and how far that is right. */
export function CalibrationCard({ collection, mode }: CalibrationCardProps) {
  const id = useId();
  const may = useMay();
  const { data, error, refetch } = trpc.calibrations.get.useQuery({ collection });
  const own = data?.calibrations.find((each) => each.mode === mode) ?? null;
  if (error) return <ErrorView error={error} title="Failed to fetch calibrations" onRetry={refetch} />;
  if (!data) return null;
  return (
    <Paper component="section" aria-labelledby={id} withBorder className={classes['card'] ?? ''}>
      <Stack gap="xs">
        <Title order={2} id={id} size="h4">
          Calibrated relevance
        </Title>
        <Text size="sm">{own === null ? notFitted(mode) : fitted(own)}</Text>
        {own !== null && own.stale.length > 0 && (
          <Text size="sm" c="dimmed">
            Since then {staleWords(own.stale)} changed: fit it again.
          </Text>
        )}
        {may('editor') && <Fitting key={mode} {...{ collection, mode, own }} />}
      </Stack>
    </Paper>
  );
}

function Fitting({ collection, mode, own }: CalibrationCardProps & { own: Calibration | null }) {
  const [isAllJudged, setAllJudged] = useState(own?.unjudged === 'not_relevant');
  const fit = trpc.calibrations.fit.useMutation({ meta: { changes: 'calibrations' } });
  const remove = trpc.calibrations.delete.useMutation({ meta: { changes: 'calibrations' } });
  const unjudged = isAllJudged ? 'not_relevant' : 'ignored';
  const failed = fit.error ?? remove.error;
  return (
    <>
      <Checkbox
        size="xs"
        label="What nobody has judged is not relevant"
        checked={isAllJudged}
        onChange={({ currentTarget }) => setAllJudged(currentTarget.checked)}
      />
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          loading={fit.isPending}
          onClick={() => fit.mutate({ collection, mode, unjudged })}
        >
          {own === null ? 'Fit' : 'Fit again'}
        </Button>
        {own !== null && (
          <Button
            size="xs"
            variant="default"
            loading={remove.isPending}
            onClick={() => remove.mutate({ collection, mode })}
          >
            Remove
          </Button>
        )}
      </Group>
      {failed && (
        <Alert color="red" title={fit.error ? 'It could not be fitted' : 'It could not be removed'}>
          {errorMessage(failed)}
        </Alert>
      )}
    </>
  );
}

function notFitted(mode: SearchMode): string {
  return `${modeNames[mode]} search does not tell how likely a hit is relevant. Fitted to what is judged, each hit has a relevance from 0 to 1, and min_relevance leaves out what has less.`;
}

function fitted({ fittedAt, queries, pairs, relevant, heldOut }: Calibration): string {
  const error = `${(heldOut.calibrationError * 100).toFixed(1)} points`;
  return `Fitted ${formatAgo(fittedAt)} to ${formatNumber(pairs)} hits of ${formatNumber(queries)} queries, ${formatNumber(relevant)} of them relevant. On queries held out, relevance is off by ${error} on average.`;
}

const reasons: Record<StaleReason, string> = {
  settings: 'the search settings',
  model: 'the model of the vectors',
  judgements: 'many judgements',
};

function staleWords(stale: StaleReason[]): string {
  const words = stale.map((reason) => reasons[reason]);
  return words.join(words.length > 2 ? ', ' : ' and ');
}

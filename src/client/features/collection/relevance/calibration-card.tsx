import { Alert, Button, Checkbox, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { ButtonLink } from '#client/components/display/links.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatAgo, formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import type { Calibration, StaleReason } from '#shared/calibrations.ts';
import { limits } from '#shared/limits.ts';
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
        <Text size="sm">{own === null ? notCalibrated(mode) : calibrated(own)}</Text>
        {own !== null && <Text size="sm">{howSure(own.heldOut.calibrationError)}</Text>}
        {own !== null && own.stale.length > 0 && (
          <Text size="sm" fw={500}>
            Since then {staleWords(own.stale)} changed: calibrate again.
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
        description={`Right where all that is relevant is judged: each query’s first ${limits.calibrationHits} hits count then.`}
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
          {own === null ? 'Calibrate' : 'Calibrate again'}
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
        {own !== null && (
          <ButtonLink to="/search" search={{ collection, mode }} size="xs" variant="default">
            See it in Search
          </ButtonLink>
        )}
      </Group>
      {failed && (
        <Alert color="red" title={fit.error ? 'It could not be calibrated' : 'It could not be removed'}>
          {errorMessage(failed)}
        </Alert>
      )}
    </>
  );
}

function notCalibrated(mode: SearchMode): string {
  const { calibrationPairsMin, calibrationQueriesMin, calibrationKindMin } = limits;
  return (
    `${modeNames[mode]} search does not tell how likely a hit is relevant: its scores order the hits of one search and do not compare with another’s. ` +
    'Calibrated on what is judged, each hit has a relevance from 0 to 1, and a search can leave out what has less. ' +
    `It takes ${calibrationPairsMin} judged hits of ${calibrationQueriesMin} queries, ${calibrationKindMin} of them relevant and ${calibrationKindMin} not.`
  );
}

function calibrated({ mode, fittedAt, queries, pairs, relevant }: Calibration): string {
  return (
    `Each hit of a ${modeNames[mode].toLowerCase()} search tells how likely it is relevant. ` +
    `Calibrated ${formatAgo(fittedAt)} on ${formatNumber(pairs)} hits of ${formatNumber(queries)} queries, ${formatNumber(relevant)} of them relevant.`
  );
}

/** Errors above it are no use to cut by. */
const errorMax = 0.05;

function howSure(error: number): string {
  const said = `On queries that it had not seen it was off by ${(error * 100).toFixed(1)} points of 100 on average.`;
  return error > errorMax ? `${said} That is much: judge more queries, and calibrate again.` : said;
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

import { Button, Loader } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import {
  alertTriangleIcon,
  circleCheckIcon,
  circleDashedIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import { isBuiltInModel } from '#shared/built-in-models.ts';
import type { CollectionWithProgress, Verified } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import { toModelName } from './model-name.ts';
import classes from './trust-line.module.css';

interface TrustLineProps {
  collection: Pick<
    CollectionWithProgress,
    'id' | 'model' | 'documentCount' | 'upgradedCount' | 'toUpgradeCount'
  >;
}

/** Whether a collection's searches can be relied on: that its index is its record, what a search by meaning compares, and when a write can be found. */
export function TrustLine({ collection }: TrustLineProps) {
  const at = { collection: collection.id };
  const utils = trpc.useUtils();
  // It reads all of both, so it is asked for by a button alone.
  const verified = trpc.collections.verify.useQuery(at, { enabled: false });
  const repair = trpc.collections.repair.useMutation({
    meta: { changes: 'collections' },
    onSuccess: () => verified.refetch(),
    onError: () => toastError('The index could not be repaired. Please try again.'),
  });
  const isBusy = verified.isFetching || repair.isPending;
  const differs = verified.data !== undefined && !isSame(verified.data);
  const same = verified.data !== undefined && !differs;
  const icon = same ? circleCheckIcon : circleDashedIcon;
  return (
    <section aria-label="Trust" className={classes['root']}>
      <span
        className={classes['part']}
        role="status"
        data-differs={differs || undefined}
        data-same={same || undefined}
      >
        {isBusy ? (
          <Loader size={14} aria-hidden="true" />
        ) : (
          <Icon shape={differs ? alertTriangleIcon : icon} size={16} />
        )}
        {repair.isPending
          ? 'Building the index from the stored documents …'
          : verified.isFetching
            ? `Comparing ${formatNumber(collection.documentCount)} documents with the index …`
            : stateOf(verified.data)}
      </span>
      <May atLeast="editor">
        {verified.isFetching && !repair.isPending ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void utils.collections.verify.cancel(at)}
          >
            Cancel
          </Button>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            disabled={isBusy}
            onClick={() => void verified.refetch()}
          >
            Verify
          </Button>
        )}
        {(differs || repair.isPending) && (
          <Button size="compact-xs" loading={repair.isPending} onClick={() => repair.mutate(at)}>
            Repair
          </Button>
        )}
      </May>
      <span
        className={classes['part']}
        title="How many of the ten nearest documents a search by meaning finds. It is measured on the collection's own vectors as they become more."
      >
        {recallOf(verified.data)}
      </span>
      {(collection.upgradedCount > 0 || !isBuiltInModel(collection.model)) && (
        <span
          className={classes['part']}
          title={
            isBuiltInModel(collection.model)
              ? 'The transformer reads each document in the background; until then it is found by the static table of words.'
              : `${embedderOf(collection.model)} embeds each document in the background; until then it is found by its words alone.`
          }
        >
          {readOf(collection)}
        </span>
      )}
      <FoundWithin collection={collection} />
      {verified.isError && !isBusy && (
        <div className={classes['error']}>
          <ErrorView error={verified.error} title="It could not be verified" onRetry={verified.refetch} />
        </div>
      )}
    </section>
  );
}

/** Who makes the vectors of a collection that has no built-in model. */
function embedderOf(model: string): string {
  return model.startsWith('onnx:') ? 'The server’s own model' : 'The service';
}

function readOf({
  model,
  documentCount,
  upgradedCount,
  toUpgradeCount,
}: TrustLineProps['collection']): string {
  const done = isBuiltInModel(model) ? 'Read by the transformer' : `Embedded by ${toModelName(model)}`;
  if (toUpgradeCount === 0) return done;
  // Where very many wait, those that will never be read make no difference.
  const all = toUpgradeCount < limits.toUpgradeCountMax ? upgradedCount + toUpgradeCount : documentCount;
  return `${done}: ${formatNumber(upgradedCount)} of ${formatNumber(all)}`;
}

/** A write is answered once the next search finds it: what it takes until then is what it takes to be answered. */
function FoundWithin({ collection }: TrustLineProps) {
  const { data } = trpc.requests.writeTimes.useQuery({ collection: collection.id });
  const isKnown = data !== undefined && data.p99Ms !== null;
  const of = isKnown
    ? ` Of ${formatNumber(data.writes)} ${data.writes === 1 ? 'write' : 'writes'} of the last day, 99 of 100 took at most so long.`
    : '';
  return (
    <span className={classes['part']} title={`A write is answered once the next search finds it.${of}`}>
      {isKnown
        ? `A write is found within ${formatMs(data.p99Ms)} (p99)`
        : 'A write is found once it is answered'}
    </span>
  );
}

function formatMs(ms: number | null): string {
  return ms === null ? '–' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

function isSame({ missing, ghosts, stale }: Verified): boolean {
  return missing.length + ghosts.length + stale.length === 0;
}

function recallOf(verified: Verified | undefined): string {
  if (!verified) return 'Recall unknown until verified';
  if (verified.scan === 'exact') return 'Recall 1: every vector is compared';
  return `Recall ${(Math.floor(verified.recall * 1_000) / 1_000).toFixed(3)}, measured`;
}

function stateOf(verified: Verified | undefined): string {
  if (!verified) return 'Index not verified yet';
  const { documents, missing, ghosts, stale, more } = verified;
  if (isSame(verified))
    return `Index = record: ${formatNumber(documents)} ${documents === 1 ? 'document' : 'documents'}, text by text`;
  const found = [
    ...(missing.length > 0 ? [`${formatNumber(missing.length)} missing`] : []),
    ...(ghosts.length > 0 ? [`${formatNumber(ghosts.length)} left over`] : []),
    ...(stale.length > 0 ? [`${formatNumber(stale.length)} out of date`] : []),
  ];
  return `The index differs: ${more ? 'at least ' : ''}${found.join(', ')}`;
}

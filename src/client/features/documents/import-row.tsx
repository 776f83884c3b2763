import { ActionIcon, Button, Progress, VisuallyHidden } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import {
  alertTriangleIcon,
  circleCheckIcon,
  searchIcon,
  xIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { formatBytes, formatNumber } from '#client/lib/format.ts';
import { removeImportJob } from '#client/lib/imports/import-jobs.ts';
import { toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import classes from './import-dock.module.css';
import { secondsLeft, timeLeft } from './rate-meter.ts';
import { repeatWords } from './repeats.ts';
import type { MeteredImport } from './use-imports.ts';

interface ImportRowProps {
  shown: MeteredImport;
  /** The reader has gone to what came in: what comes next must not lie under the dock. */
  onFollow: () => void;
}

/** One import: how far it is and how fast, or how it ended and what can be done now. */
export function ImportRow({ shown, onFollow }: ImportRowProps) {
  const { label, collection, state, key } = shown;
  return (
    <li className={classes['row']}>
      <div className={classes['top']}>
        {state !== 'running' && (
          <span className={classes['state']} data-state={state}>
            <Icon shape={state === 'done' ? circleCheckIcon : alertTriangleIcon} size={18} />
          </span>
        )}
        <span className={classes['label']} title={label}>
          {label}
        </span>
        <span className={classes['where']}>{collection && `into ${collection.name}`}</span>
        {state === 'running' ? (
          <May atLeast="editor">
            <CancelButton shown={shown} />
          </May>
        ) : (
          <ActionIcon size="sm" aria-label={`Dismiss ${label}`} onClick={() => removeImportJob(key)}>
            <Icon shape={xIcon} />
          </ActionIcon>
        )}
      </div>
      {state === 'running' ? <Running {...{ shown, onFollow }} /> : <Ended {...{ shown, onFollow }} />}
      <VisuallyHidden role="status">{saidOf(shown)}</VisuallyHidden>
    </li>
  );
}

/** A screen reader hears of each quarter and of the end. */
function saidOf(shown: MeteredImport): string {
  const { state, label, message } = shown;
  if (state !== 'running') return `${label}: ${outcomeOf(shown)} ${message ?? ''}`;
  const quarter = Math.floor((percentOf(shown) ?? 0) / 25) * 25;
  return quarter === 0 ? `The import of ${label} has begun` : `${quarter} percent of ${label} are in`;
}

function CancelButton({ shown }: { shown: MeteredImport }) {
  const { importId, collection, label } = shown;
  const cancel = trpc.imports.cancel.useMutation({
    meta: { changes: 'documents' },
    onError: () => toastError('Failed to cancel the import. Please try again.'),
  });
  const send = useOnce(cancel.mutateAsync, ({ id }) => id);
  const stop = () => {
    if (collection && importId !== null) send({ collection: collection.id, id: importId });
    shown.cancel?.();
  };
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Cancel the import of ${label}`}
      disabled={importId === null && !shown.cancel}
      loading={cancel.isPending}
      onClick={stop}
    >
      Cancel
    </Button>
  );
}

function Running({ shown, onFollow }: ImportRowProps) {
  const percent = percentOf(shown);
  return (
    <>
      <Progress
        className={classes['bar'] ?? ''}
        size="sm"
        value={percent ?? 100}
        animated={percent === null}
        aria-label={`Import of ${shown.label}`}
      />
      <p className={classes['facts']}>{factsOf(shown)}</p>
      {/* A sample is there before it would be read, and its own search waits for the whole of it. */}
      {shown.query === '' && (
        <div className={classes['actions']}>
          <SearchLink shown={shown} label="Search what is in" onFollow={onFollow} />
        </div>
      )}
    </>
  );
}

/** By documents where it is known how many there are, else by what was sent of the file. */
function percentOf({ rows, rowsTotal, upload }: MeteredImport): number | null {
  if (rowsTotal !== null && rowsTotal > 0) return Math.min(100, (100 * rows) / rowsTotal);
  if (upload && upload.sentBytes < upload.totalBytes) return (100 * upload.sentBytes) / upload.totalBytes;
  return null;
}

function factsOf({ rows, rowsTotal, failed, rate, upload }: MeteredImport): string {
  const seconds = secondsLeft(rows, rowsTotal, rate);
  const isSending = upload !== null && upload.sentBytes < upload.totalBytes;
  return [
    rowsTotal === null
      ? `${formatNumber(rows)} documents`
      : `${formatNumber(rows)} of ${formatNumber(rowsTotal)} documents`,
    failed > 0 && `${formatNumber(failed)} failed`,
    rate !== null && rate >= 1 && `${formatNumber(rate)}/s`,
    isSending && `${formatBytes(upload.sentBytes)} of ${formatBytes(upload.totalBytes)} sent`,
    seconds !== null && timeLeft(seconds),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Documents can be found as soon as they are in. */
function SearchLink({ shown, label, onFollow }: ImportRowProps & { label: string }) {
  const { state, rows, failed, collection, query, key } = shown;
  if (collection === null || rows - failed <= 0) return null;
  // Nothing more is to be done about it.
  const isOver = state === 'done' && failed === 0;
  return (
    <ButtonLink
      to="/search"
      search={{ collection: collection.id, ...(query && { q: query }) }}
      size="xs"
      variant={state === 'done' ? 'filled' : 'default'}
      leftSection={<Icon shape={searchIcon} />}
      onClick={() => (isOver ? removeImportJob(key) : onFollow())}
    >
      {label}
    </ButtonLink>
  );
}

function Ended({ shown, onFollow }: ImportRowProps) {
  const { state, failed, message, label } = shown;
  return (
    <>
      <p className={classes['facts']}>
        {outcomeOf(shown)}
        {message && ` ${message}`}
      </p>
      <div className={classes['actions']}>
        <SearchLink shown={shown} label="Search them now" onFollow={onFollow} />
        {failed > 0 && shown.showRejects && (
          <Button size="xs" variant="default" onClick={shown.showRejects}>
            Mend the {failed === 1 ? 'failed row' : `${formatNumber(failed)} failed rows`}
          </Button>
        )}
        {state !== 'done' && shown.retry && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Try the import of ${label} again`}
            onClick={shown.retry}
          >
            Try again
          </Button>
        )}
      </div>
    </>
  );
}

function outcomeOf({ state, rows, failed, repeats }: MeteredImport): string {
  const documents = repeats?.documents ?? rows - failed;
  const inWords = `${formatNumber(documents)} in${failed > 0 ? `, ${formatNumber(failed)} failed` : ''}`;
  const again = repeats ? repeatWords(repeats, 'came') : null;
  const twice = again ? `: ${again}` : '';
  // So many may be fewer documents.
  const noun = repeats === null ? 'row' : 'document';
  if (state === 'done' && failed === 0)
    return documents === 1
      ? `1 ${noun} is in${twice}.`
      : `${formatNumber(documents)} ${noun}s are in${twice}.`;
  if (state === 'done') return `${inWords}${twice}.`;
  return state === 'cancelled'
    ? `Cancelled: ${inWords}. What is in stays in.`
    : rows > 0
      ? `Not done: ${inWords}.`
      : 'Nothing went in.';
}

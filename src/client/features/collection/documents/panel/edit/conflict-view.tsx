import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { isNotFound } from '#client/lib/error-message.ts';
import { fieldLabel } from '#client/lib/field-label.ts';
import { ChangeSummary } from './change-summary.tsx';
import { toText } from './document-text.ts';
import { JsonDiff } from './json-diff.tsx';
import type { Current, Fields, Known } from './known.ts';
import { mergeBoth } from './merge-both.ts';

interface ConflictViewProps {
  /** What both began with. */
  base: Known;
  yours: Fields;
  current: Current;
  isPending: boolean;
  /** Goes on with what was written, in the place of theirs. */
  onKeepYours: (theirs: Known) => void;
  /** Goes on with what both have written, in the place of theirs. */
  onMerge: (theirs: Known, merged: Fields) => void;
  onAddAgain: () => void;
  onTakeTheirs: () => void;
}

/** Somebody else has changed the document since: theirs and yours, and which of them it is to be. */
export function ConflictView({ base, yours, current, isPending, ...on }: ConflictViewProps) {
  const { data: theirs, error, isFetching, refetch } = current;
  if (error && isNotFound(error)) {
    return (
      <Stack gap="sm">
        <Warning title="Somebody else has deleted this document meanwhile">
          What you have written is still here.
        </Warning>
        <JsonDiff label="Your document" before="" after={toText(yours)} />
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={on.onTakeTheirs}>
            Leave it deleted
          </Button>
          <Button loading={isPending} onClick={on.onAddAgain}>
            Add yours again
          </Button>
        </Group>
      </Stack>
    );
  }
  if (error)
    return (
      <ErrorView error={error} title="The document as it is now could not be loaded" onRetry={refetch} />
    );
  if (!theirs || (theirs.version === base.version && isFetching)) return <Skeleton height={240} />;
  const { document: merged, clashes } = mergeBoth(base.document, theirs.document, yours);
  return (
    <Stack gap="sm">
      <Warning title="Somebody else has changed this document meanwhile">
        Nothing is saved yet, and nothing of yours is lost.
      </Warning>
      <ChangeSummary who="They" before={base.document} after={theirs.document} />
      <ChangeSummary who="You" before={base.document} after={yours} />
      <Text size="sm" c="dimmed">
        Lines with − are theirs, lines with + are yours.
      </Text>
      <JsonDiff label="Theirs and yours" before={toText(theirs.document)} after={toText(yours)} />
      {clashes.length > 0 && (
        <Text size="sm" dir="auto">
          {`Both changed ${clashes.map(fieldLabel).join(', ')}: merged, yours stands there.`}
        </Text>
      )}
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={on.onTakeTheirs}>
          Take theirs
        </Button>
        <Button variant="default" onClick={() => on.onKeepYours(theirs)}>
          Go on with yours
        </Button>
        <Button onClick={() => on.onMerge(theirs, merged)}>Merge both</Button>
      </Group>
    </Stack>
  );
}

function Warning({ title, children }: { title: string; children: string }) {
  return (
    <Alert color="yellow" icon={<Icon shape={alertTriangleIcon} />} title={title} role="alert">
      {children}
    </Alert>
  );
}

import { Alert, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useRef, useState } from 'react';
import { JsonEditor, type JsonEditorHandle } from '#client/components/code/json-editor.tsx';
import type { JsonFault } from '#client/components/code/json-faults.ts';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import classes from './write-view.module.css';

interface WriteViewProps {
  isNew: boolean;
  text: string;
  faults: JsonFault[];
  isChanged: boolean;
  isPending: boolean;
  /** What the server refused it for, where it is no fault at a place. */
  error: unknown;
  /** Somebody else has changed the document since. */
  isOutdated: boolean;
  onSeeBoth: () => void;
  /** Goes on with theirs; undefined: it is deleted. */
  onShowTheirs: (() => void) | undefined;
  onType: (text: string) => void;
  onNext: () => void;
  onCancel: () => void;
}

const faultsShownMax = 5;

export function WriteView({
  isNew,
  text,
  faults,
  isChanged,
  isPending,
  error,
  isOutdated,
  ...on
}: WriteViewProps) {
  const editor = useRef<JsonEditorHandle>(null);
  const [isAsking, setAsking] = useState(false);
  return (
    <Stack gap="sm">
      {isOutdated && (
        <Alert
          color="yellow"
          icon={<Icon shape={alertTriangleIcon} />}
          title="Somebody else has changed this document meanwhile"
        >
          {isChanged || !on.onShowTheirs ? (
            <Button size="compact-sm" variant="default" disabled={faults.length > 0} onClick={on.onSeeBoth}>
              See both
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={on.onShowTheirs}>
              Show it as it is now
            </Button>
          )}
        </Alert>
      )}
      {error != null && <ErrorView error={error} title="The document was not saved" />}
      <JsonEditor
        ref={editor}
        label="Document as JSON"
        text={text}
        faults={faults}
        hasFocus
        onType={on.onType}
      />
      <div role="status">
        {faults.length > 0 && (
          <ul className={classes['faults']}>
            {faults.slice(0, faultsShownMax).map((fault) => (
              <li key={`${fault.from} ${fault.message}`}>
                <UnstyledButton
                  className={classes['fault'] ?? ''}
                  onClick={() => editor.current?.goTo(fault.from)}
                >
                  {`Line ${lineAt(text, fault.from)}: ${fault.message}`}
                </UnstyledButton>
              </li>
            ))}
          </ul>
        )}
        {faults.length > faultsShownMax && (
          <Text size="xs" c="dimmed">
            And {faults.length - faultsShownMax} more.
          </Text>
        )}
      </div>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={() => (isChanged ? setAsking(true) : on.onCancel())}>
          Cancel
        </Button>
        <Button disabled={faults.length > 0 || !(isChanged || isNew)} loading={isPending} onClick={on.onNext}>
          {isNew ? 'Add document' : 'Review changes'}
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        title="Discard your changes?"
        confirmLabel="Discard changes"
        onConfirm={on.onCancel}
        onClose={() => setAsking(false)}
      >
        What you have written in this document is not saved.
      </ConfirmDialog>
    </Stack>
  );
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

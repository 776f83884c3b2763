import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { playerPlayIcon, terminal2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { Keys } from '#client/components/display/keys.tsx';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import type { Endpoint, Schema } from './endpoints.ts';
import type { Draft } from './fit-request.ts';
import classes from './playground.module.css';
import { requestPath } from './request-path.ts';

/** As large as the rest of the page: fetched after it is painted. */
const BodyEditor = lazyPart(async () => ({ default: (await import('./body/body-editor.tsx')).BodyEditor }));

interface RequestFormProps {
  endpoint: Endpoint;
  /** What it begins with. */
  fitted: Draft;
  /** What was typed here before. */
  kept: Draft | undefined;
  schemas: Record<string, Schema>;
  fields: string[];
  /** A collection is needed and none is chosen. */
  isDisabled: boolean;
  /** What is to know of an address before it is asked. */
  noticeOf: (url: string) => string | null;
  isRunning: boolean;
  /** Another one is under way. */
  isBusy: boolean;
  onKeep: (draft: Draft | undefined) => void;
  onSend: (draft: Draft) => void;
  onCancel: () => void;
  onCopyCurl: (draft: Draft) => void;
}

export function RequestForm({ endpoint, fitted, kept, schemas, fields, ...props }: RequestFormProps) {
  const [draft, setDraft] = useState(kept ?? fitted);
  /** Counts how often it went back to its beginning, which is a new editor. */
  const [beginnings, setBeginnings] = useState(0);
  const { isDisabled, isRunning, isBusy } = props;
  const isEdited = draft.url !== fitted.url || draft.body !== fitted.body;
  const isAddress = isDisabled || requestPath(draft.url) !== null;
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    props.onKeep(next);
  };
  const reset = () => {
    setDraft(fitted);
    props.onKeep(undefined);
    setBeginnings(beginnings + 1);
  };
  const notice = isDisabled ? null : props.noticeOf(draft.url);
  const canSend = !isDisabled && !isRunning && !isBusy && isAddress;
  const send = () => canSend && props.onSend(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={submit} aria-label={endpoint.name}>
      <Stack gap="sm">
        <Group gap={4} wrap="nowrap" align="flex-start">
          <TextInput
            flex={1}
            aria-label="Endpoint URL"
            classNames={{ input: classes['url'] ?? '' }}
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            disabled={isDisabled}
            value={draft.url}
            onChange={(event) => change({ url: event.currentTarget.value })}
            error={isAddress ? undefined : 'Requests go to this server: an address begins with /api/'}
          />
          <CopyButton
            value={`${window.location.origin}${requestPath(draft.url) ?? draft.url}`}
            label="Copy endpoint URL"
          />
        </Group>
        {notice !== null && (
          <Text size="sm" role="note" className={classes['notice'] ?? ''}>
            {notice}
          </Text>
        )}
        {endpoint.body && draft.body !== null && !isDisabled && (
          <div>
            <Group justify="space-between" mb={4}>
              <Text size="xs" fw={600} c="dimmed">
                Request body
              </Text>
              <Text size="xs" c="dimmed" visibleFrom="sm">
                <Keys keys={['Mod', 'Enter']} /> executes
              </Text>
            </Group>
            <Suspense fallback={<Skeleton height="12rem" />}>
              <BodyEditor
                key={beginnings}
                label={`Request body of ${endpoint.name}`}
                text={draft.body}
                schema={endpoint.body.schema}
                schemas={schemas}
                fields={fields}
                onType={(body) => change({ body })}
                onSend={send}
              />
            </Suspense>
          </div>
        )}
        {endpoint.body && isDisabled && <pre className={classes['still']}>{fitted.body}</pre>}
        <Group gap="xs">
          <Button type="submit" disabled={!canSend} leftSection={<Icon shape={playerPlayIcon} size={16} />}>
            {isRunning ? 'Executing...' : 'Execute Request'}
          </Button>
          {isRunning && (
            <Button variant="default" onClick={props.onCancel}>
              Cancel
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            disabled={isDisabled || !isAddress}
            leftSection={<Icon shape={terminal2Icon} size={16} />}
            onClick={() => props.onCopyCurl(draft)}
          >
            Copy as curl
          </Button>
          {isEdited && !isDisabled && (
            <Button variant="subtle" color="gray" onClick={reset}>
              Reset
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

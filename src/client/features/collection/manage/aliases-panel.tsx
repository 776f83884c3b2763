import { ActionIcon, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { May, useMay } from '#client/lib/workspace-provider.tsx';
import type { Alias } from '#shared/aliases.ts';
import type { Collection } from '#shared/collections.ts';

/** Further names of the collection, by which it can be exchanged for another one. */
export function AliasesPanel({ collection }: { collection: Collection }) {
  const { id, projectId } = collection;
  const aliases = trpc.aliases.list.useQuery({ projectId });
  const may = useMay();
  const own = aliases.data?.filter(({ collectionId }) => collectionId === id) ?? [];
  return (
    <Panel title="Aliases">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Another name that callers may use. Load a new collection beside this one, then let the alias name
          it: no caller has to be changed, and none sees anything between the two.
        </Text>
        {aliases.isError && (
          <ErrorView error={aliases.error} title="Failed to fetch aliases" onRetry={aliases.refetch} />
        )}
        {aliases.isPending && <TableSkeleton />}
        {own.map((alias) => (
          <AliasRow key={alias.name} alias={alias} />
        ))}
        {aliases.data && own.length === 0 && !may('editor') && <Text size="sm">It has no aliases.</Text>}
        {aliases.data && may('editor') && <AliasForm collection={collection} aliases={aliases.data} />}
      </Stack>
    </Panel>
  );
}

const failed = (title: string) => (error: unknown) =>
  toast({ title, description: errorMessage(error), kind: 'error' });

function AliasRow({ alias: { name, projectId, collectionId } }: { alias: Alias }) {
  const restore = trpc.aliases.put.useMutation({
    meta: { changes: 'aliases' },
    onSuccess: () => toast({ title: 'Alias restored', description: name }),
    onError: failed('The alias could not be restored'),
  });
  const remove = trpc.aliases.delete.useMutation({
    meta: { changes: 'aliases' },
    onSuccess: () =>
      toast({
        title: 'Alias deleted',
        description: name,
        action: {
          label: 'Undo',
          altText: `Undo: make the alias ${name} again on the tab Manage`,
          onClick: () => restore.mutate({ name, collection: collectionId }),
        },
      }),
    onError: failed('The alias could not be deleted'),
  });
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between">
      <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code>
      <May atLeast="editor">
        <ActionIcon
          aria-label={`Delete alias ${name}`}
          loading={remove.isPending}
          onClick={() => remove.mutate({ name, projectId })}
        >
          <Icon shape={trashIcon} />
        </ActionIcon>
      </May>
    </Group>
  );
}

/** A new alias, or one of another collection of the project that is to name this one. */
function AliasForm({ collection: { id, name: own }, aliases }: { collection: Collection; aliases: Alias[] }) {
  const [name, setName] = useState('');
  const wanted = name.trim();
  const elsewhere = aliases.find((alias) => alias.name === wanted && alias.collectionId !== id);
  const put = trpc.aliases.put.useMutation({
    meta: { changes: 'aliases' },
    onSuccess: (alias) => {
      setName('');
      toast({
        title: elsewhere ? 'Alias moved' : 'Alias made',
        description: `${alias.name} names ${own} now`,
      });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== '' && !put.isPending) put.mutate({ name: wanted, collection: id });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        {put.error && <FormFailure error={put.error} fallback="The alias could not be made" />}
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Alias"
            placeholder="current"
            dir="auto"
            autoComplete="off"
            style={{ flex: '1 1 12rem' }}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            leftSection={<Icon shape={plusIcon} />}
            disabled={wanted === ''}
            loading={put.isPending}
          >
            {elsewhere ? 'Move it here' : 'Make alias'}
          </Button>
        </Group>
        {elsewhere && (
          <Text size="sm" role="status" dir="auto">
            It names “{elsewhere.collection}” now. Moved, it names “{own}” from one request to the next.
          </Text>
        )}
      </Stack>
    </form>
  );
}

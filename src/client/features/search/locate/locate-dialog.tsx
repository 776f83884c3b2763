import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import type { ChangeSearch, SearchState } from '../search-state.ts';
import { locate } from './locate.ts';
import classes from './locate-dialog.module.css';
import { Standing } from './standing.tsx';

interface LocateDialogProps {
  isOpen: boolean;
  onClose: () => void;
  state: SearchState;
  collection: { id: number; name: string };
  onChange: ChangeSearch;
}

/** 'Where is my document?': its rank in the search on screen, or what keeps it out and what would bring it in. */
export function LocateDialog({ isOpen, onClose, ...props }: LocateDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Where is my document?" size="lg">
      <Locate {...props} onClose={onClose} />
    </Modal>
  );
}

function Locate({ state, collection, onChange, onClose }: Omit<LocateDialogProps, 'isOpen'>) {
  const { client } = trpc.useUtils();
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState('');
  const found = useQuery({
    queryKey: [['search'], 'locate', state, collection.id, wanted],
    queryFn: ({ signal }) => locate(client, { state, collection: collection.id, wanted }, signal),
    enabled: wanted !== '',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === wanted) void found.refetch();
    else setWanted(typed.trim());
  };
  const choose = (id: string) => {
    setTyped(id);
    setWanted(id);
  };
  return (
    <>
      <form onSubmit={submit} className={classes['form']}>
        <TextInput
          label="Id or title"
          description={`A document of ${collection.name} that should have been found by this search.`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={512}
          autoComplete="off"
          data-autofocus
          className={classes['wanted'] ?? ''}
        />
        <Button type="submit" disabled={typed.trim() === ''} loading={found.isFetching}>
          Find it
        </Button>
      </form>
      <div role="status">
        {found.isError && (
          <ErrorView error={found.error} title="It could not be looked for" onRetry={found.refetch} />
        )}
        {found.data?.kind === 'choice' && (
          <Choice documents={found.data.documents} wanted={wanted} onChoose={choose} />
        )}
      </div>
      {found.data?.kind === 'standing' && (
        <Standing
          key={found.data.standing.id}
          {...{ state, collection, title: found.data.title, standing: found.data.standing }}
          onApply={(change) => {
            onChange(change);
            onClose();
          }}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  documents: { id: string; title: string }[];
  wanted: string;
  onChoose: (id: string) => void;
}

function Choice({ documents, wanted, onChoose }: ChoiceProps) {
  if (documents.length === 0) {
    return <Text size="sm">{`The collection has no document with the id or the words “${wanted}”.`}</Text>;
  }
  return (
    <>
      <Text size="sm" mb="xs">
        Which one is meant?
      </Text>
      <Group gap="xs">
        {documents.map(({ id, title }) => (
          <Button key={id} variant="default" size="xs" title={id} onClick={() => onChoose(id)}>
            {title}
          </Button>
        ))}
      </Group>
    </>
  );
}

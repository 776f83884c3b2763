import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { grades } from '#shared/judged-query.ts';
import { limits } from '#shared/limits.ts';
import classes from './judge-form.module.css';

/** A document that the query should find and does not, by its id. */
export function DocumentForm({ at }: { at: { collection: number; query: string } }) {
  const [id, setId] = useState('');
  const { client } = trpc.useUtils();
  const [missing, setMissing] = useState<string | null>(null);
  const put = trpc.judgements.put.useMutation({
    meta: { changes: 'judgements' },
    onSuccess: () => setId(''),
    onError: (error) => setMissing(errorMessage(error)),
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const document = id.trim();
    if (document === '' || put.isPending) return;
    try {
      await client.documents.get.query({ collection: at.collection, id: document });
    } catch (error) {
      setMissing(errorMessage(error));
      return;
    }
    put.mutate({ ...at, document, grade: grades.relevant });
  };
  return (
    <form onSubmit={(event) => void submit(event)} className={classes['root']}>
      <TextInput
        size="xs"
        aria-label="Id of another relevant document"
        placeholder="Id of another relevant document"
        value={id}
        maxLength={limits.documentIdBytesMax}
        autoComplete="off"
        error={missing}
        onChange={(event) => {
          setId(event.currentTarget.value);
          setMissing(null);
        }}
        className={classes['query'] ?? ''}
      />
      <Button type="submit" size="xs" variant="default" loading={put.isPending} disabled={id.trim() === ''}>
        Add as relevant
      </Button>
    </form>
  );
}

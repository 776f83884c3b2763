import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { judgedQuery } from '#shared/judged-query.ts';
import { limits } from '#shared/limits.ts';
import classes from './judge-form.module.css';

/** A query to judge, typed. */
export function JudgeForm({ onJudge, isPrimary }: { onJudge: (query: string) => void; isPrimary: boolean }) {
  const [typed, setTyped] = useState('');
  const query = judgedQuery(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (query === '') return;
    onJudge(query);
    setTyped('');
  };
  return (
    <form onSubmit={submit} className={classes['root']} data-alone={isPrimary || undefined}>
      <TextInput
        aria-label="Query to judge"
        placeholder="A query that people ask"
        value={typed}
        maxLength={limits.judgedQueryCharactersMax}
        autoComplete="off"
        dir="auto"
        onChange={(event) => setTyped(event.currentTarget.value)}
        className={classes['query'] ?? ''}
      />
      <Button type="submit" variant={isPrimary ? 'filled' : 'default'} disabled={query === ''}>
        Judge its hits
      </Button>
    </form>
  );
}

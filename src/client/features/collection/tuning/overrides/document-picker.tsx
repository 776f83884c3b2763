import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { titleFields, titleOf } from '#client/lib/document-title.ts';
import { quoted } from '#client/lib/quoted.ts';
import { trpc } from '#client/lib/trpc.ts';

interface DocumentPickerProps {
  collection: number;
  label: string;
  onPick: (id: string) => void;
}

const offered = 8;
const pauseMs = 150;

/** Finds a document of the collection by words, or takes its id. */
export function DocumentPicker({ collection, label, onPick }: DocumentPickerProps) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), pauseMs);
  const shared = {
    collection,
    include_fields: titleFields,
    per_page: offered,
    enable_overrides: false,
    enable_analytics: false,
  };
  const enabled = asked !== '';
  const byWords = trpc.search.keyword.useQuery(
    { ...shared, query: asked },
    { enabled, placeholderData: keepPreviousData },
  );
  const byId = trpc.search.keyword.useQuery(
    { ...shared, query: '*', filter_by: `id:[${quoted(asked)}]` },
    { enabled, placeholderData: keepPreviousData },
  );
  const hits = enabled
    ? [byId.data, byWords.data].flatMap((answer) => (answer && 'hits' in answer ? answer.hits : []))
    : [];
  const titles = new Map(hits.map(({ id, document }) => [id, titleOf(id, document)]));
  const isFetching = byWords.isFetching || byId.isFetching;
  const options = [...titles].map(([value, label]) => ({ value, label }));
  return (
    <Select
      aria-label={label}
      placeholder={`${label}: words or id`}
      searchable
      // The server has chosen.
      filter={({ options: all }) => all}
      data={options}
      value={null}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={asked === '' || isFetching ? undefined : 'No document has these words'}
      onChange={(id) => {
        if (id === null) return;
        onPick(id);
        setText('');
      }}
    />
  );
}

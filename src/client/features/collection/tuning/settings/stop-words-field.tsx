import { SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { SearchSettings } from '#shared/search-settings.ts';

type StopWords = NonNullable<SearchSettings['stop_words']>;

interface StopWordsFieldProps {
  value: StopWords | null;
  onChange: (value: StopWords | null) => void;
}

const kinds = [
  { value: 'default', label: 'Those of the language' },
  { value: 'none', label: 'None' },
  { value: 'own', label: 'My own' },
];

/** Words that a query is read without. */
export function StopWordsField({ value, onChange }: StopWordsFieldProps) {
  const kind = Array.isArray(value) ? 'own' : (value ?? 'default');
  return (
    <Stack gap="xs" align="flex-start">
      <SegmentedControl
        size="xs"
        aria-label="Words that are left out"
        data={kinds}
        value={kind}
        onChange={(next) => onChange(next === 'own' ? [] : next === 'none' ? 'none' : null)}
      />
      {Array.isArray(value) && <OwnWords words={value} onChange={onChange} />}
    </Stack>
  );
}

function OwnWords({ words, onChange }: { words: string[]; onChange: (words: string[]) => void }) {
  const [text, setText] = useState(words.join(', '));
  // What is typed stays as it is typed, unless another list was set meanwhile.
  const shown = isSame(wordsIn(text), words) ? text : words.join(', ');
  return (
    <Textarea
      w="100%"
      autosize
      minRows={2}
      maxRows={6}
      dir="auto"
      aria-label="My own words that are left out"
      description="Between commas, or one a line"
      value={shown}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(wordsIn(event.currentTarget.value));
      }}
    />
  );
}

function wordsIn(text: string): string[] {
  const words = text.split(/[\n,]/).map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}

const isSame = (a: string[], b: string[]) => a.join('\n') === b.join('\n');

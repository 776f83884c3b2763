import { NativeSelect } from '@mantine/core';
import { keyLabel, keyPlaceholder } from '#client/lib/snippet-key.ts';
import type { ApiKey } from '#shared/api-keys.ts';

interface KeyChoiceProps {
  keys: ApiKey[] | null;
  apiKey: ApiKey | null;
  onChoose: (id: number | null) => void;
  /** Whether the label is to be seen. */
  isLabelled?: boolean;
}

/** Which key stands in the code beside it; nothing where there is none to choose. */
export function KeyChoice({ keys, apiKey, onChoose, isLabelled = false }: KeyChoiceProps) {
  if (!keys || keys.length === 0) return null;
  const options = keys.map((key) => ({ value: String(key.id), label: keyLabel(key) }));
  return (
    <NativeSelect
      size="xs"
      maw="16rem"
      miw={0}
      {...(isLabelled ? { label: 'API key' } : { 'aria-label': 'API key in the code' })}
      value={String(apiKey?.id ?? '')}
      data={[{ value: '', label: keyPlaceholder }, ...options]}
      onChange={({ currentTarget: { value } }) => onChoose(value === '' ? null : Number(value))}
    />
  );
}

import { Menu } from '@mantine/core';
import { keyLabel, keyPlaceholder } from '#client/lib/snippet-key.ts';
import type { ApiKey } from '#shared/api-keys.ts';

interface KeyItemsProps {
  /** Null: they are not known yet. */
  keys: ApiKey[] | null;
  apiKey: ApiKey | null;
  onChoose: (id: number | null) => void;
}

/** More stand on the project's page. */
const shownMax = 8;

/** In a menu of code: which key stands in it, those first that can do no more than read. */
export function KeyItems({ keys, apiKey, onChoose }: KeyItemsProps) {
  if (!keys || keys.length === 0) return null;
  const writes = ({ permissions }: ApiKey) => Number(permissions.includes('write'));
  const shown = keys.toSorted((a, b) => writes(a) - writes(b)).slice(0, shownMax);
  return (
    <>
      <Menu.Divider />
      <Menu.Label>With the key</Menu.Label>
      <Menu.RadioGroup
        value={String(apiKey?.id ?? '')}
        onChange={(value) => onChoose(value === '' ? null : Number(value))}
      >
        {shown.map((key) => (
          <Menu.RadioItem key={key.id} value={String(key.id)}>
            {keyLabel(key)}
          </Menu.RadioItem>
        ))}
        <Menu.RadioItem value="">None: {keyPlaceholder}</Menu.RadioItem>
      </Menu.RadioGroup>
    </>
  );
}

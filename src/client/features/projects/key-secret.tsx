import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { eyeIcon, eyeOffIcon } from '#client/components/display/icon-shapes.gen.ts';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { Tip } from '#client/components/later/tip.tsx';
import { useRevealKey } from '#client/lib/use-reveal-key.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import classes from './api-key-row.module.css';

/** Masked until the reader asks; the whole key is fetched then, and lives in this row only, until it is hidden. */
export function KeySecret({ apiKey }: { apiKey: ApiKey }) {
  const [revealed, setRevealed] = useState<{ key: string; lastFour: string } | null>(null);
  const { reveal, isPending } = useRevealKey();
  const may = useMay();
  // A value that was rotated away is not shown as the key.
  const shown = revealed?.lastFour === apiKey.lastFour ? revealed.key : null;
  const label = shown === null ? 'Reveal API key' : 'Hide API key';
  const toggle = async () => {
    const key = shown === null ? await reveal(apiKey.id) : null;
    setRevealed(key === null ? null : { key, lastFour: apiKey.lastFour });
  };
  // The server shows a key that writes to nobody who may not write.
  if (apiKey.permissions.includes('write') && !may('editor'))
    return <code className={classes['secret']}>{apiKey.key}</code>;
  return (
    <div className={classes['key']}>
      <code className={classes['secret']} data-revealed={shown !== null || undefined}>
        <bdi>{shown ?? apiKey.key}</bdi>
      </code>
      <Tip label={label}>
        <ActionIcon
          aria-label={`${label} ${apiKey.name}`}
          aria-pressed={shown !== null}
          loading={isPending}
          onClick={toggle}
        >
          <Icon shape={shown === null ? eyeIcon : eyeOffIcon} />
        </ActionIcon>
      </Tip>
      <CopyKey apiKey={apiKey} revealed={shown} />
    </div>
  );
}

function CopyKey({ apiKey, revealed }: { apiKey: ApiKey; revealed: string | null }) {
  const { reveal } = useRevealKey();
  return (
    <CopyButton
      value={revealed ?? (() => reveal(apiKey.id))}
      label={`Copy API key ${apiKey.name}`}
      description="API key copied to clipboard"
    />
  );
}

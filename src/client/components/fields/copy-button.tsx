import { ActionIcon, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { copyText } from '#client/lib/copy-text.ts';
import { Icon } from '../display/icon.tsx';
import { checkIcon, copyIcon } from '../display/icon-shapes.gen.ts';

const copiedShownMs = 2_000;

/** Copies `value`; `label` says what ("Copy API key"); `description` is the toast's second line. */
export function CopyButton(props: { value: string; label: string; description?: string }) {
  const [copiedAt, setCopiedAt] = useState(0);
  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), copiedShownMs);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copy = async () => {
    if (await copyText(props.value, props.description)) setCopiedAt(Date.now());
  };
  return (
    <Tooltip label={copiedAt > 0 ? 'Copied' : props.label}>
      <ActionIcon aria-label={props.label} onClick={copy}>
        <Icon shape={copiedAt > 0 ? checkIcon : copyIcon} />
      </ActionIcon>
    </Tooltip>
  );
}

import { ActionIcon } from '@mantine/core';
import { useEffect, useState } from 'react';
import { copyText } from '#client/lib/copy-text.ts';
import { Icon } from '../display/icon.tsx';
import { checkIcon, copyIcon } from '../display/icon-shapes.gen.ts';
import { Tip } from '../later/tip.tsx';

const copiedShownMs = 2_000;

/** What is copied, with the toast's second line where only that tells it. */
export type Copied = string | { text: string; description: string };

interface CopyButtonProps {
  /** A function is asked at each click; null: there is nothing to copy, and it has said why. */
  value: string | (() => Promise<Copied | null>);
  /** What is copied: "Copy API key". */
  label: string;
  /** The toast's second line. */
  description?: string | undefined;
}

export function CopyButton(props: CopyButtonProps) {
  const [isPending, setPending] = useState(false);
  const [copiedAt, setCopiedAt] = useState(0);
  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), copiedShownMs);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copy = async () => {
    const value = typeof props.value === 'string' ? props.value : await ask(props.value, setPending);
    if (value === null) return;
    const { text, description } =
      typeof value === 'string' ? { text: value, description: props.description } : value;
    if (await copyText(text, description)) setCopiedAt(Date.now());
  };
  return (
    <Tip label={copiedAt > 0 ? 'Copied' : props.label}>
      <ActionIcon aria-label={props.label} loading={isPending} onClick={copy}>
        <Icon shape={copiedAt > 0 ? checkIcon : copyIcon} />
      </ActionIcon>
    </Tip>
  );
}

async function ask(
  getValue: () => Promise<Copied | null>,
  setPending: (isPending: boolean) => void,
): Promise<Copied | null> {
  setPending(true);
  try {
    return await getValue();
  } finally {
    setPending(false);
  }
}

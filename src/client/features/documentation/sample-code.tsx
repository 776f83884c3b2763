import { Button, SegmentedControl, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { checkIcon, copyIcon } from '#client/components/display/icon-shapes.gen.ts';
import { copyText } from '#client/lib/copy-text.ts';
import { type Language, requestCode } from '#client/lib/request-code.ts';
import { keyPlaceholder } from '#client/lib/snippet-key.ts';
import { fillSample, type SampleRequest } from '#shared/articles/sample-request.ts';
import { CodeText } from './code-text.tsx';
import { useOwnValues } from './own-values.ts';
import classes from './sample-code.module.css';

const choices: { value: Language; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'python' },
  { value: 'fetch', label: 'javascript' },
];

const copiedShownMs = 2_000;

/** A request in the reader's language, with their own host, collection and key. */
export function SampleCode({ request, label }: { request: SampleRequest; label: string }) {
  const { language, setLanguage, collection, shownKey, apiKey } = useOwnValues();
  const filled = fillSample(request, {
    origin: window.location.origin,
    key: shownKey ?? keyPlaceholder,
    collection: collection?.name ?? null,
  });
  const code = requestCode(language, filled);
  const isWrite = isWriting(request);
  return (
    <figure className={classes['root']} aria-label={label}>
      <div className={classes['top']}>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={choices}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
        />
        <CopyCode code={code} />
      </div>
      <CodeText code={code} language={language} />
      {isWrite && apiKey && !apiKey.permissions.includes('write') && (
        <Text component="figcaption" size="xs" c="dimmed" className={classes['note'] ?? ''}>
          This call writes, and the key “{apiKey.name}” may only read. Choose one that may write.
        </Text>
      )}
    </figure>
  );
}

/** Searches may be sent as POST, too. */
function isWriting({ method, path }: SampleRequest): boolean {
  return method !== 'GET' && !/(?:search|similar|suggest|chat)(?:\?|$)/.test(path);
}

/** 'Copied' for 2 s. */
export function CopyCode({ code }: { code: string }) {
  const [copiedAt, setCopiedAt] = useState(0);
  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), copiedShownMs);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const isCopied = copiedAt > 0;
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      className={classes['copy'] ?? ''}
      leftSection={<Icon shape={isCopied ? checkIcon : copyIcon} size={14} />}
      onClick={async () => {
        if (await copyText(code)) setCopiedAt(Date.now());
      }}
    >
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  );
}

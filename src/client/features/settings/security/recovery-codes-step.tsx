import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { copyIcon, downloadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { copyText } from '#client/lib/copy-text.ts';
import { download } from '#client/lib/download.ts';
import { useAskBeforeLeaving } from '#client/lib/use-ask-before-leaving.ts';
import classes from './recovery-codes-step.module.css';

/** Shown this once. The dialog ends when the reader says that they are kept; before that the browser asks, too. */
export function RecoveryCodesStep({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  const text = codes.join('\n');
  const said = useRef<HTMLParagraphElement>(null);
  useAskBeforeLeaving(!isKept);
  // The field that had the focus is gone.
  useEffect(() => said.current?.focus(), []);
  return (
    <Stack>
      <Text size="sm" ref={said} tabIndex={-1} className={classes['said'] ?? ''}>
        Keep these recovery codes where you find them without your phone. Each signs you in once, and they are
        shown only now.
      </Text>
      <ul className={classes['codes']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon shape={copyIcon} />}
          onClick={() => copyText(text, 'Recovery codes copied to clipboard')}
        >
          Copy
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon shape={downloadIcon} />}
          onClick={() => download('vectora-recovery-codes.txt', `${text}\n`, 'text/plain')}
        >
          Download
        </Button>
      </Group>
      <Checkbox
        label="I have kept them"
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isKept} onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import classes from './drop-zone.module.css';
import { pastedFile, textFile } from './pasted-file.ts';

/** A button that opens the file chooser, a place to drop a file on, and a box to paste rows into. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const zone = useRef<HTMLButtonElement>(null);
  const [isOver, setOver] = useState(false);
  // The dialog has given the focus away before this is fetched.
  useEffect(() => zone.current?.focus(), []);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <>
      <button
        ref={zone}
        type="button"
        className={classes['zone']}
        data-over={isOver || undefined}
        onClick={() => input.current?.click()}
        onPaste={(event) => {
          const file = pastedFile(event.clipboardData);
          if (file) onFile(file);
        }}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <span className={classes['icon']}>
          <Icon shape={uploadIcon} size={22} />
        </span>
        <Text fw={600} component="span">
          Drop a file here, or choose one
        </Text>
        <Text size="sm" c="dimmed" component="span">
          JSON, NDJSON, CSV or TSV, gzipped or not, of any size
        </Text>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File with documents"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
      <PasteBox onFile={onFile} />
    </>
  );
}

/** For rows that are in no file. */
function PasteBox({ onFile }: { onFile: (file: File) => void }) {
  const [text, setText] = useState('');
  return (
    <Stack gap="xs">
      <Textarea
        label="Or paste rows"
        description="From a spreadsheet, or JSON"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
      />
      {text.trim() !== '' && (
        <Group justify="flex-end">
          <Button variant="default" size="xs" onClick={() => onFile(textFile(text))}>
            Read the pasted rows
          </Button>
        </Group>
      )}
    </Stack>
  );
}

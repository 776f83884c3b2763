import { Text } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import classes from './drop-zone.module.css';

/** A button that opens the file chooser, and a place to drop a file on. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <>
      <button
        type="button"
        className={classes['zone']}
        data-over={isOver || undefined}
        onClick={() => input.current?.click()}
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
          A JSON array or NDJSON (one JSON object a line), of any size
        </Text>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,.ndjson,.jsonl,application/json,application/x-ndjson"
        aria-label="File with documents"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}

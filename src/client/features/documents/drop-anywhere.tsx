import { useEffect, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import classes from './drop-anywhere.module.css';
import { pastedFile } from './pasted-file.ts';

/** A file that is dropped anywhere on the console, or data that is pasted outside of a field, is imported. */
export function DropAnywhere() {
  const { opened, open } = useDialogs();
  const [isOver, setOver] = useState(false);
  // A dialog that is open has what was typed in it; its own drop zone takes files.
  const isFree = opened === null;

  useFilesKeptOut(!isFree);
  useEffect(() => {
    if (!isFree) return;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      // Out of the window; from one element to the next there is one to go to.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      open('import-documents', { file });
    };
    const paste = (event: ClipboardEvent) => {
      const file = isInField(event.target) ? null : pastedFile(event.clipboardData);
      if (!file) return;
      event.preventDefault();
      open('import-documents', { file });
    };
    window.addEventListener('dragenter', over);
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('dragenter', over);
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
      window.removeEventListener('paste', paste);
    };
  }, [isFree, open]);

  if (!isOver || !isFree) return null;
  return (
    <div className={classes['cover']} role="status">
      <div className={classes['frame']}>
        <div className={classes['words']}>
          <span className={classes['icon']}>
            <Icon shape={uploadIcon} size={28} />
          </span>
          <strong>Drop the file to import it</strong>
          <span className={classes['hint']}>JSON, NDJSON, CSV or TSV, gzipped or not</span>
        </div>
      </div>
    </div>
  );
}

/** A file that misses an open dialog's own zone: the browser would show it in place of the console, with all that was typed. */
function useFilesKeptOut(isKeptOut: boolean): void {
  useEffect(() => {
    if (!isKeptOut) return;
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    const kinds = ['dragenter', 'dragover', 'drop'] as const;
    for (const kind of kinds) window.addEventListener(kind, refuse);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, refuse);
    };
  }, [isKeptOut]);
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

function isInField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

import { useEffect, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { toast } from '#client/lib/toast.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import classes from './drop-anywhere.module.css';
import { pastedFile } from './pasted-file.ts';

/** One dialog each, so many at most: a folder is no list of files. */
const filesMax = 20;

/** What is dropped anywhere on the console, or pasted outside of a field, is imported; of several files one after the other. */
export function DropAnywhere() {
  const { opened, open } = useDialogs();
  const may = useMay();
  const [isOver, setOver] = useState(false);
  const [waiting, setWaiting] = useState<File[]>([]);
  // A dialog that is open has what was typed in it; its own drop zone takes files. Who only reads imports nothing.
  const isFree = opened === null && may('editor');

  useFilesKeptOut(!isFree);
  // The next one is proposed when the dialog of the one before is closed.
  useEffect(() => {
    const [file, ...after] = waiting;
    if (!isFree || !file) return;
    setWaiting(after);
    open('import-documents', { file, others: { count: after.length, onLeaveOut: () => setWaiting([]) } });
  }, [isFree, open, waiting]);
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
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      if (files.length > filesMax) sayTooMany(files.length);
      setWaiting(files.slice(0, filesMax));
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
          <strong>Drop files to import them</strong>
          <span className={classes['hint']}>JSON, NDJSON, CSV or TSV, gzipped or not</span>
        </div>
      </div>
    </div>
  );
}

function sayTooMany(count: number): void {
  toast({
    title: `${filesMax} of ${count} files`,
    description: 'So many are taken at once, one after the other. Drop the others when these are done.',
  });
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

import { useMemo, useRef, useState } from 'react';
import { failureOf, isNotFound } from '#client/lib/error-message.ts';
import type { Collection } from '#shared/collections.ts';
import { checkDraft, faultsAt } from './check-draft.ts';
import { ConflictView } from './conflict-view.tsx';
import { toText } from './document-text.ts';
import type { Current, Fields, Known } from './known.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { ReviewView } from './review-view.tsx';
import { useSaveDocument } from './use-save-document.ts';
import { WriteView } from './write-view.tsx';

interface DocumentEditorProps {
  collection: Collection;
  /** What is edited, as it was when that began; null: a new one is written. */
  edited: { id: string; known: Known; current: Current } | null;
  /** What a new one begins with. */
  template?: string;
  onSaved: (id: string) => void;
  onCancel: () => void;
}

/** A document's JSON to write on, then what changes, then both sides where somebody else was faster. */
export function DocumentEditor({
  collection,
  edited,
  template = '{}',
  onSaved,
  onCancel,
}: DocumentEditorProps) {
  const [base, setBase] = useState(edited?.known ?? null);
  const first = base ? toText(base.document) : template;
  const [text, setText] = useState(first);
  const [phase, setPhase] = useState<'write' | 'review' | 'conflict'>('write');
  const isDone = useRef(false);
  const declared = collection.metadata?.fields;
  const id = edited?.id ?? null;
  const checked = useMemo(() => checkDraft(text, { declared: declared ?? [], id }), [text, declared, id]);
  const save = useSaveDocument({
    collection: collection.id,
    onSaved: (saved) => {
      isDone.current = true;
      onSaved(saved);
    },
    onConflict: () => {
      setPhase('conflict');
      edited?.current.refetch();
    },
    onRefused: () => setPhase('write'),
  });
  const details = failureOf(save.error).details;
  const faults = useMemo(
    () => (checked.faults.length > 0 ? checked.faults : faultsAt(text, save.error ? details : [])),
    [checked, text, save.error, details],
  );
  const send = (known: Known | null) => {
    const { document } = checked;
    if (!document) return;
    const replaces = id !== null && known ? { id, version: known.version } : null;
    save.send({ document: id === null ? document : { ...document, id }, replaces });
  };
  const theirs = edited?.current.error ? undefined : edited?.current.data;
  const goOnWith = (known: Known, document: Fields, next: 'write' | 'review') => {
    setBase(known);
    setText(toText(document));
    setPhase(next);
  };
  return (
    <>
      {phase === 'write' && (
        <WriteView
          key={base?.version}
          isNew={edited === null}
          text={text}
          faults={faults}
          isChanged={text !== first}
          isPending={save.isPending}
          error={save.error && details.length === 0 ? save.error : null}
          isOutdated={base !== null && edited !== null && isOutdated(base, edited.current)}
          onSeeBoth={() => setPhase('conflict')}
          onShowTheirs={theirs && (() => goOnWith(theirs, theirs.document, 'write'))}
          onType={(next) => {
            setText(next);
            if (save.error) save.forget();
          }}
          onNext={() => (edited ? setPhase('review') : send(null))}
          onCancel={onCancel}
        />
      )}
      {phase === 'review' && base && checked.document && (
        <ReviewView
          before={base.document}
          after={checked.document}
          isPending={save.isPending}
          onSave={() => send(base)}
          onBack={() => setPhase('write')}
        />
      )}
      {phase === 'conflict' && base && edited && checked.document && (
        <ConflictView
          base={base}
          yours={checked.document}
          current={edited.current}
          isPending={save.isPending}
          onKeepYours={(known) => {
            setBase(known);
            setPhase('write');
          }}
          onMerge={(known, merged) => goOnWith(known, merged, 'review')}
          onAddAgain={() => send(null)}
          onTakeTheirs={() => {
            isDone.current = true;
            onCancel();
          }}
        />
      )}
      <LeaveGuard isDirty={() => text !== first && !isDone.current} />
    </>
  );
}

function isOutdated(base: Known, { data, error }: Current): boolean {
  return isNotFound(error) || (data !== undefined && data.version !== base.version);
}

import { failureOf } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Fields } from './known.ts';

interface SaveOptions {
  collection: number;
  onSaved: (id: string) => void;
  /** Somebody else has changed or deleted it since. */
  onConflict: () => void;
  /** Something is wrong with it. */
  onRefused: () => void;
}

/** What is written, and where: in the place of a version of `id`, or as a new one. */
interface Saved {
  document: Fields;
  replaces: { id: string; version: number } | null;
}

export function useSaveDocument({ collection, onSaved, onConflict, onRefused }: SaveOptions) {
  const meta = { changes: 'documents' } as const;
  const done = (title: string) => (saved: { document: unknown }) => {
    const { id } = saved.document as { id: string };
    toast({ title, description: id });
    onSaved(id);
  };
  const replace = trpc.documents.replace.useMutation({
    meta,
    onSuccess: done('Document saved'),
    onError: (error) => (isConflict(error) ? onConflict() : onRefused()),
  });
  const add = trpc.documents.write.useMutation({
    meta,
    onSuccess: done('Document added'),
    onError: onRefused,
  });
  const send = useOnce(
    ({ document, replaces }: Saved) =>
      replaces
        ? replace.mutateAsync({ collection, id: replaces.id, document, if_version: replaces.version })
        : add.mutateAsync({ collection, action: 'create', document }),
    ({ document }) => document,
  );
  return {
    send,
    isPending: replace.isPending || add.isPending,
    /** Why it was refused; a conflict has a screen of its own. */
    error: add.error ?? (isConflict(replace.error) ? null : replace.error),
    forget: () => {
      replace.reset();
      add.reset();
    },
  };
}

const isConflict = (error: unknown) => error !== null && failureOf(error).code === 'CONFLICT';

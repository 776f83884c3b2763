import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { invalidate } from '#client/lib/invalidate.ts';
import type { ImportSummary } from '#shared/documents.ts';
import { previewFile, type UploadPreview } from './upload-format.ts';
import { sendUpload, UploadCancelled, type UploadProgress } from './upload-request.ts';

export type UploadState =
  | { step: 'choose'; fault: string | null }
  | { step: 'ready'; file: File; preview: UploadPreview; fault: string | null }
  | { step: 'sending'; file: File; progress: UploadProgress }
  | { step: 'done'; file: File; summary: ImportSummary };

/** One upload from choosing a file to its report. */
export function useUpload() {
  const [state, setState] = useState<UploadState>({ step: 'choose', fault: null });
  const abort = useRef<AbortController | null>(null);
  const chosen = useRef<File | null>(null);
  const queryClient = useQueryClient();

  // A screen that is left takes its upload along.
  useEffect(() => () => abort.current?.abort(), []);

  const isSending = state.step === 'sending';
  useEffect(() => {
    if (!isSending) return;
    // Closing the page would cut the upload: the browser asks first.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);

  const choose = async (file: File) => {
    chosen.current = file;
    const next = await previewFile(file).then(
      (preview): UploadState => ({ step: 'ready', file, preview, fault: null }),
      (error): UploadState => ({ step: 'choose', fault: `${file.name}: ${errorMessage(error)}` }),
    );
    // Another file may have been chosen while this one was read.
    if (chosen.current === file) setState(next);
  };

  const send = async (collectionId: number, { file, preview }: { file: File; preview: UploadPreview }) => {
    abort.current = new AbortController();
    setState({ step: 'sending', file, progress: { sentBytes: 0, totalBytes: file.size } });
    try {
      const summary = await sendUpload({
        collectionId,
        file,
        format: preview.format,
        signal: abort.current.signal,
        onProgress: (progress) => setState({ step: 'sending', file, progress }),
      });
      setState({ step: 'done', file, summary });
    } catch (error) {
      const fault =
        error instanceof UploadCancelled
          ? 'The upload was cancelled. Documents that had already arrived are kept.'
          : errorMessage(error);
      setState({ step: 'ready', file, preview, fault });
    }
    await invalidate(queryClient, 'documents');
  };

  return {
    state,
    choose,
    send,
    cancel: () => abort.current?.abort(),
    reset: () => {
      chosen.current = null;
      setState({ step: 'choose', fault: null });
    },
  };
}

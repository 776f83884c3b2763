import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { invalidate } from '#client/lib/invalidate.ts';
import type { ImportSummary } from '#shared/documents.ts';
import { sendUpload, UploadCancelled, type UploadProgress } from './send-upload.ts';
import { previewFile, type UploadPreview } from './upload-format.ts';

export type UploadState =
  | { step: 'choose'; fault: string | null }
  | { step: 'ready'; file: File; preview: UploadPreview; fault: string | null }
  | { step: 'sending'; file: File; progress: UploadProgress }
  | { step: 'done'; file: File; summary: ImportSummary };

const beginning: UploadState = { step: 'choose', fault: null };

/** One upload from choosing a file to its report. */
export function useUpload() {
  const [state, setState] = useState<UploadState>(beginning);
  const abort = useRef<AbortController | null>(null);
  const chosen = useRef<File | null>(null);
  const queryClient = useQueryClient();

  // A screen that is left takes its upload along.
  useEffect(() => () => abort.current?.abort(), []);
  useLeaveQuestion(state.step === 'sending');

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
      setState({ step: 'ready', file, preview, fault: faultOf(error) });
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
      setState(beginning);
    },
  };
}

function faultOf(error: unknown): string {
  if (error instanceof UploadCancelled)
    return 'The upload was cancelled. Documents that had already arrived are kept.';
  return errorMessage(error);
}

/** Closing the page would cut the upload: the browser asks first. */
function useLeaveQuestion(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);
}

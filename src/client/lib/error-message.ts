import { TRPCClientError } from '@trpc/client';
import type { ErrorDetail } from '#shared/errors.ts';

/** What the server says about a failure, read from a tRPC error; all parts are absent for a network failure. */
export interface Failure {
  message: string;
  code?: string;
  requestId?: string;
  details: ErrorDetail[];
  retryAfterSeconds?: number;
}

/** Any error as something to show. `fallback` stands in where the error has no words. */
export function failureOf(error: unknown, fallback = 'Something went wrong'): Failure {
  if (error instanceof TRPCClientError) {
    const data = asRecord(error.data);
    if (!data)
      return { message: 'The server cannot be reached. Check your connection and try again.', details: [] };
    return {
      message: error.message || fallback,
      details: Array.isArray(data['details']) ? (data['details'] as ErrorDetail[]) : [],
      ...(typeof data['appCode'] === 'string' ? { code: data['appCode'] } : {}),
      ...(typeof data['requestId'] === 'string' ? { requestId: data['requestId'] } : {}),
      ...(typeof data['retryAfterSeconds'] === 'number'
        ? { retryAfterSeconds: data['retryAfterSeconds'] }
        : {}),
    };
  }
  return { message: error instanceof Error && error.message ? error.message : fallback, details: [] };
}

/** The sentence alone. */
export function errorMessage(error: unknown, fallback?: string): string {
  return failureOf(error, fallback).message;
}

/** The server does not know (any more) who is asking. */
export function isUnauthorized(error: unknown): boolean {
  return failureOf(error).code === 'UNAUTHORIZED';
}

/** It does not exist, or is somebody else's. */
export function isNotFound(error: unknown): boolean {
  return failureOf(error).code === 'NOT_FOUND';
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

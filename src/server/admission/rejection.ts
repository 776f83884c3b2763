import { AppError } from '#server/errors.ts';

/** Why a request is turned away. It is no error yet, since most requests of a flood end so and an error takes its stack along. */
export interface Rejection {
  code: 'TOO_MANY_REQUESTS' | 'UNAVAILABLE';
  message: string;
  retryAfterSeconds: number;
}

export function rejectionError({ code, message, retryAfterSeconds }: Rejection): AppError {
  return new AppError(code, message, { retryAfterSeconds });
}

import { TRPCError } from '@trpc/server';
import { expect, test } from 'vitest';
import { toAppError } from './to-app-error.ts';

test('what tRPC cannot parse is the fault of who sent it', () => {
  const error = new TRPCError({ code: 'PARSE_ERROR', message: 'not JSON' });
  expect(toAppError(error)).toMatchObject({ code: 'BAD_REQUEST', message: 'not JSON', cause: error });
});

import { toast } from './toast.ts';
import type { TrpcLoaders } from './trpc.ts';

/** The server no longer knows the session: the console is the signed-out one, and says why if somebody was signed in. */
export function endSession(loaders: TrpcLoaders): void {
  const wasSignedIn = Boolean(loaders.auth.me.getData()?.user);
  loaders.auth.me.setData(undefined, { user: null });
  if (!wasSignedIn) return;
  toast({
    title: 'Session ended',
    description: 'Sign in again to go on where you were.',
    kind: 'error',
  });
}

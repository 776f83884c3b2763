import { useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { LoginInput, User } from '#shared/accounts.ts';
import { toast } from './toast.ts';
import { type RouterInputs, trpc } from './trpc.ts';

/** Who is signed in, and the ways to change that: `const { user, logout } = useAuth()`. */
export interface Auth {
  user: User | null;
  isLoading: boolean;
  isAuthenticated: boolean;
  /** The reader left on purpose in this page's life; a guard then sends to /login, not to /. */
  hasLoggedOut: boolean;
  /** Rejects with the server's error; afterwards `user` is set. */
  login(input: LoginInput): Promise<void>;
  register(input: RouterInputs['auth']['register']): Promise<void>;
  /** Never rejects: success and failure are a toast. */
  logout(): Promise<void>;
}

/** Tells the browser's other tabs that somebody has come or gone. */
const sessionChannel = 'session';

const AuthContext = createContext<Auth | null>(null);

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

export function AuthProvider({ children }: { children: ReactNode }) {
  const me = trpc.auth.me.useQuery();
  const { mutateAsync: sendLogin } = trpc.auth.login.useMutation({ meta: { changes: null } });
  const { mutateAsync: sendRegister } = trpc.auth.register.useMutation({ meta: { changes: null } });
  const { mutateAsync: sendLogout } = trpc.auth.logout.useMutation({ meta: { changes: null } });
  const [hasLoggedOut, setHasLoggedOut] = useState(false);
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  const user = me.data?.user ?? null;

  // The tabs share the session: who comes or goes in one of them does so here, and sees nothing of the one before.
  useEffect(() => {
    const channel = new BroadcastChannel(sessionChannel);
    channel.onmessage = async () => {
      const before = utils.auth.me.getData()?.user?.id;
      const now = await utils.client.auth.me.query().catch(() => null);
      if (!now || now.user?.id === before) return;
      utils.auth.me.setData(undefined, now);
      if (now.user) await queryClient.resetQueries({ predicate: isOfTheUser });
      else queryClient.removeQueries({ predicate: isOfTheUser });
    };
    return () => channel.close();
  }, [queryClient, utils]);

  const auth = useMemo((): Auth => {
    const forget = () => {
      queryClient.removeQueries({ predicate: isOfTheUser });
      queryClient.getMutationCache().clear();
    };
    /** Whoever was signed in before, perhaps somebody else whose session ran out, leaves nothing behind. */
    const enter = async () => {
      forget();
      await utils.auth.me.invalidate();
      setHasLoggedOut(false);
      announce();
    };
    return {
      user,
      isLoading: me.isLoading,
      isAuthenticated: user !== null,
      hasLoggedOut,
      login: async (input) => {
        await sendLogin(input);
        await enter();
      },
      register: async (input) => {
        await sendRegister(input);
        await enter();
      },
      logout: async () => {
        try {
          await sendLogout();
        } catch {
          toast({
            title: 'Logout failed',
            description: 'There was an error logging you out. Please try again.',
            kind: 'error',
          });
          return;
        }
        setHasLoggedOut(true);
        // The signed-out answer first, so that no page asks again for what is then removed.
        utils.auth.me.setData(undefined, { user: null });
        forget();
        announce();
        toast({ title: 'Logged out', description: 'You have been successfully logged out.' });
      },
    };
  }, [user, me.isLoading, hasLoggedOut, queryClient, utils, sendLogin, sendRegister, sendLogout]);

  return <AuthContext value={auth}>{children}</AuthContext>;
}

const ownKey = JSON.stringify(getQueryKey(trpc.auth.me, undefined, 'query'));

/** Everything in the cache but the answer to who is signed in. */
function isOfTheUser({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return JSON.stringify(queryKey) !== ownKey;
}

function announce(): void {
  const channel = new BroadcastChannel(sessionChannel);
  channel.postMessage(null);
  channel.close();
}

import { useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
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

const AuthContext = createContext<Auth | null>(null);

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

export function AuthProvider({ children }: { children: ReactNode }) {
  const me = trpc.auth.me.useQuery();
  const { mutateAsync: sendLogin } = trpc.auth.login.useMutation();
  const { mutateAsync: sendRegister } = trpc.auth.register.useMutation();
  const { mutateAsync: sendLogout } = trpc.auth.logout.useMutation();
  const [hasLoggedOut, setHasLoggedOut] = useState(false);
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  const user = me.data?.user ?? null;

  const auth = useMemo((): Auth => {
    const refresh = async () => {
      await utils.auth.me.invalidate();
      setHasLoggedOut(false);
    };
    /** The signed-out answer first, so that no page asks again for what is then removed. */
    const forget = () => {
      const own = JSON.stringify(getQueryKey(trpc.auth.me, undefined, 'query'));
      utils.auth.me.setData(undefined, { user: null });
      queryClient.removeQueries({ predicate: (query) => JSON.stringify(query.queryKey) !== own });
      queryClient.getMutationCache().clear();
    };
    return {
      user,
      isLoading: me.isLoading,
      isAuthenticated: user !== null,
      hasLoggedOut,
      login: async (input) => {
        await sendLogin(input);
        await refresh();
      },
      register: async (input) => {
        await sendRegister(input);
        await refresh();
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
        forget();
        toast({ title: 'Logged out', description: 'You have been successfully logged out.' });
      },
    };
  }, [user, me.isLoading, hasLoggedOut, queryClient, utils, sendLogin, sendRegister, sendLogout]);

  return <AuthContext value={auth}>{children}</AuthContext>;
}

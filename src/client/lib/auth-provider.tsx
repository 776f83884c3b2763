import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
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
  /** Rejects with the server's error; afterwards `user` is set, or `sendCode` is what comes next. */
  login(input: LoginInput): Promise<'signed in' | 'code awaited'>;
  /** Rejects with the server's error; afterwards `user` is set. */
  sendCode(code: string): Promise<void>;
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
  const [hasLoggedOut, setHasLoggedOut] = useState(false);
  const announce = useOtherTabs();
  const changes = useSessionChanges(setHasLoggedOut, announce);
  const user = me.data?.user ?? null;
  const auth = useMemo(
    (): Auth => ({ user, isLoading: me.isLoading, isAuthenticated: user !== null, hasLoggedOut, ...changes }),
    [user, me.isLoading, hasLoggedOut, changes],
  );
  return <AuthContext value={auth}>{children}</AuthContext>;
}

function useSessionChanges(
  setHasLoggedOut: (hasLoggedOut: boolean) => void,
  announce: () => void,
): Pick<Auth, 'login' | 'sendCode' | 'register' | 'logout'> {
  const { mutateAsync: sendLogin } = trpc.auth.login.useMutation({ meta: { changes: null } });
  const { mutateAsync: sendSecondStep } = trpc.auth.secondStep.useMutation({ meta: { changes: null } });
  const { mutateAsync: sendRegister } = trpc.auth.register.useMutation({ meta: { changes: null } });
  const { mutateAsync: sendLogout } = trpc.auth.logout.useMutation({ meta: { changes: null } });
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  return useMemo(() => {
    /** Whoever was signed in before, perhaps somebody else whose session ran out, leaves nothing behind. */
    const become = async (user: User | null) => {
      // An answer from before would undo it.
      await utils.auth.me.cancel();
      setHasLoggedOut(user === null);
      if (user) forgetTheUser(queryClient);
      utils.auth.me.setData(undefined, { user });
      // On leaving the signed-out answer comes first, so that no page asks again for what is then removed.
      if (!user) forgetTheUser(queryClient);
      announce();
    };
    return {
      login: async (input) => {
        const { user } = await sendLogin(input);
        if (!user) return 'code awaited';
        await become(user);
        return 'signed in';
      },
      sendCode: async (code) => become((await sendSecondStep({ code })).user),
      register: async (input) => become((await sendRegister(input)).user),
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
        await become(null);
        toast({ title: 'Logged out', description: 'You have been successfully logged out.' });
      },
    };
  }, [queryClient, utils, setHasLoggedOut, announce, sendLogin, sendSecondStep, sendRegister, sendLogout]);
}

/**
 * The tabs share the session: who comes or goes in one of them does so here, and sees nothing of the one before.
 * What it answers tells the other tabs that somebody has come or gone here.
 */
function useOtherTabs(): () => void {
  const own = useRef<BroadcastChannel | null>(null);
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  useEffect(() => {
    const channel = new BroadcastChannel('session');
    channel.onmessage = async () => {
      const before = utils.auth.me.getData()?.user?.id;
      const now = await utils.client.auth.me.query().catch(() => null);
      if (!now || now.user?.id === before) return;
      utils.auth.me.setData(undefined, now);
      if (now.user) await queryClient.resetQueries({ predicate: isOfTheUser });
      else queryClient.removeQueries({ predicate: isOfTheUser });
    };
    own.current = channel;
    return () => channel.close();
  }, [queryClient, utils]);
  // Through the channel that listens: a second one would be heard here too.
  return useCallback(() => own.current?.postMessage(null), []);
}

function forgetTheUser(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: isOfTheUser });
  queryClient.getMutationCache().clear();
}

const ownKey = JSON.stringify(getQueryKey(trpc.auth.me, undefined, 'query'));

/** Everything in the cache but the answer to who is signed in. */
function isOfTheUser({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return JSON.stringify(queryKey) !== ownKey;
}

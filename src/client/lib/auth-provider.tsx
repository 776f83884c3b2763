import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LoginInput, User } from '#shared/accounts.ts';
import { asIs } from './session-keeper.ts';
import { clearToasts, type ToastContent, toast } from './toast.ts';
import { type RouterInputs, trpc } from './trpc.ts';
import { useSessionKeeper } from './use-session-keeper.ts';
import { forgetUsers } from './user-storage.ts';

/** Who is signed in, and the ways to change that: `const { user, logout } = useAuth()`. */
export interface Auth {
  user: User | null;
  isLoading: boolean;
  isAuthenticated: boolean;
  /** The reader left on purpose in this page's life; a guard then sends to /login, not to /. */
  hasLoggedOut: boolean;
  /** The session has ended in the middle of work: what was sent waits for `user` to sign in again. */
  isLapsed: boolean;
  /** Rejects with the server's error; afterwards `user` is set, or `sendCode` is what comes next. */
  login(input: LoginInput): Promise<'signed in' | 'code awaited'>;
  /** Rejects with the server's error; afterwards `user` is set. */
  sendCode(code: string): Promise<void>;
  register(input: RouterInputs['auth']['register']): Promise<void>;
  /** Never rejects: success and failure are a toast. */
  logout(): Promise<void>;
  /** The account is no more: as after a logout, with what is to be said. */
  leave(said: ToastContent): Promise<void>;
  /** Of a lapsed session: what waits fails, and the page is left. */
  giveUp(): void;
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
  const { isLapsed, release } = useSessionKeeper();
  const announce = useOtherTabs(release);
  const changes = useSessionChanges({ setHasLoggedOut, announce, release });
  const user = me.data?.user ?? null;
  const auth = useMemo((): Auth => {
    const state = { user, isLoading: me.isLoading, isAuthenticated: user !== null };
    return { ...state, hasLoggedOut, isLapsed, ...changes };
  }, [user, me.isLoading, hasLoggedOut, isLapsed, changes]);
  return <AuthContext value={auth}>{children}</AuthContext>;
}

interface SessionEffects {
  setHasLoggedOut: (hasLoggedOut: boolean) => void;
  announce: () => void;
  release: (isBack: boolean) => void;
}

function useSessionChanges({
  setHasLoggedOut,
  announce,
  release,
}: SessionEffects): Pick<Auth, 'login' | 'sendCode' | 'register' | 'logout' | 'leave' | 'giveUp'> {
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
      const before = utils.auth.me.getData()?.user;
      const isBack = user !== null && user.id === before?.id;
      setHasLoggedOut(user === null);
      if (user && !isBack) forgetTheUser(queryClient);
      utils.auth.me.setData(undefined, { user });
      release(isBack);
      // Pages that are open ask anew, for somebody else.
      if (user && before && !isBack) await queryClient.resetQueries({ predicate: isOfTheUser });
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
      leave: async (said) => {
        await become(null);
        toast(said);
      },
      // The other tabs keep what is typed in them.
      giveUp: () => {
        utils.auth.me.setData(undefined, { user: null });
        release(false);
        forgetTheUser(queryClient);
      },
    };
  }, [
    queryClient,
    utils,
    setHasLoggedOut,
    announce,
    release,
    sendLogin,
    sendSecondStep,
    sendRegister,
    sendLogout,
  ]);
}

/**
 * The tabs share the session: who comes or goes in one of them does so here, and sees nothing of the one before.
 * What it answers tells the other tabs that somebody has come or gone here.
 */
function useOtherTabs(release: (isBack: boolean) => void): () => void {
  const own = useRef<BroadcastChannel | null>(null);
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  useEffect(() => {
    const channel = new BroadcastChannel('session');
    channel.onmessage = async () => {
      const before = utils.auth.me.getData()?.user?.id;
      const now = await utils.client.auth.me.query(undefined, asIs).catch(() => null);
      if (!now) return;
      if (now.user?.id === before) return release(true);
      utils.auth.me.setData(undefined, now);
      release(false);
      if (now.user) await queryClient.resetQueries({ predicate: isOfTheUser });
      else queryClient.removeQueries({ predicate: isOfTheUser });
    };
    own.current = channel;
    return () => channel.close();
  }, [queryClient, utils, release]);
  // Through the channel that listens: a second one would be heard here too.
  return useCallback(() => own.current?.postMessage(null), []);
}

function forgetTheUser(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: isOfTheUser });
  queryClient.getMutationCache().clear();
  clearToasts();
  forgetUsers();
}

const ownKey = JSON.stringify(getQueryKey(trpc.auth.me, undefined, 'query'));

/** Everything in the cache but the answer to who is signed in. */
function isOfTheUser({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return JSON.stringify(queryKey) !== ownKey;
}
